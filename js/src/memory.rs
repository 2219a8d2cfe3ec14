//! The memory of the module, which grows in large steps.
//!
//! Whenever the memory of WebAssembly grows, JavaScript gets another buffer, and V8 may collect garbage. In a memory of
//! more than 64 MB that can take two milliseconds. The allocator of the standard library takes what it needs, which may
//! be one page of 64 KiB; so each time, another eighth of the memory is taken with it.
#![allow(unsafe_code, reason = "an allocator is unsafe")]

use core::arch::wasm32::memory_size;
use std::alloc::{GlobalAlloc, Layout, System};

#[global_allocator]
static ALLOCATOR: InSteps = InSteps;

/// An eighth of a page, in bytes.
const EIGHTH: usize = 64 * 1024 / 8;

/// The allocator of the standard library, with more room whenever the memory grows.
struct InSteps;

/// Allocates. If the memory has grown, more is allocated and given back at once: the allocator keeps it.
fn with_room(allocate: impl FnOnce() -> *mut u8) -> *mut u8 {
    let pages = memory_size::<0>();
    let start = allocate();
    if memory_size::<0>() > pages
        && let Ok(room) = Layout::array::<u8>(pages * EIGHTH)
    {
        // SAFETY: the memory has pages, so the layout has bytes. Nothing else uses what is given back.
        unsafe {
            let more = System.alloc(room);
            if !more.is_null() {
                System.dealloc(more, room);
            }
        }
    }
    start
}

// No function is inlined. LLVM knows that an allocation ends with `__rust_dealloc`, and in a function that sees the
// inside of the allocator it would drop what that writes beside the allocation before.
// SAFETY: all calls are those of the allocator of the standard library.
unsafe impl GlobalAlloc for InSteps {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: by the condition of this function.
        with_room(|| unsafe { System.alloc(layout) })
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: by the condition of this function.
        with_room(|| unsafe { System.alloc_zeroed(layout) })
    }

    #[inline(never)]
    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: by the condition of this function.
        with_room(|| unsafe { System.realloc(start, layout, size) })
    }

    #[inline(never)]
    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: by the condition of this function.
        unsafe { System.dealloc(start, layout) }
    }
}
