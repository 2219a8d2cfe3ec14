//! The folder for temporary files of a job.

use std::path::Path;

/// Returns the nearest folder above an output file that exists, if the output is not a device.
#[doc(hidden)]
pub fn folder_of(path: &Path) -> Option<&Path> {
    // A device, such as /dev/null, is in a folder that is not for files.
    let is_device = path.metadata().is_ok_and(|found| !found.is_file());
    let folders = path.ancestors().skip(1);
    let mut folders = folders.map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    folders.find(|folder| !is_device && folder.is_dir())
}
