//! Pictures of positions: SVG, PNG, and text for a terminal or a document.
//!
//! A [`Board`] is a position and the way in which it is drawn: the orientation, the last move, arrows, coloured and
//! marked squares, the size and the colours. It draws itself in several forms. This crate opens no file and no
//! connection, and its pictures refer to none: they hold the outlines of their pieces and of their coordinates, and
//! need no font.
//!
//! The feature `png` adds pictures in PNG, which `resvg` draws.
//!
//! ```
//! use pgn2fen_chess::Position;
//! use pgn2fen_board::{Arrow, Board, Paint};
//! use pgn2fen_chess::piece::Color;
//! use pgn2fen_chess::square::Square;
//!
//! let position: Position = "r1bqkbnr/pppp1Qpp/2n5/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4".parse()?;
//! let board = Board::of(&position)
//!     .orientation(Color::Black)
//!     .last_move(Square::H5, Square::F7)
//!     .arrow(Arrow::new(Square::C4, Square::F7, Paint::Green))
//!     .size(400);
//! assert!(board.to_svg().starts_with("<svg "));
//! assert!(board.description().ends_with("Black to move, in check. Last move: h5 to f7."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Many boards on one page
//!
//! [`Board::to_svg`] is a document of its own with the drawings of the pieces that it shows. A page with many boards
//! contains [`definitions`] once, and for each board the much shorter [`Board::to_page_element`], which refers to them.
//! With boards in different colours, [`pieces`] and [`Board::to_svg_element`] do the same for the pieces alone.
//!
//! # Other crates
//!
//! | for | take |
//! |---|---|
//! | the rules: positions, moves, FEN | `pgn2fen-chess` |
//! | a picture for each position of the games in a file, or a page of them | `pgn2fen-rows` |
//!
//! [The library](https://github.com/pgn2fen/pgn2fen/blob/main/docs/library.md) lists all crates, with a program
//! for each.
//!
//! # The pieces
//!
//! The drawings are the piece set Chessnut, Copyright 2015 Alexis Luengas, under the Apache License 2.0. Every picture
//! that is passed on contains them, so the licence applies to this part of it.

mod arrow;
mod attributes;
mod beside;
mod colors;
mod description;
mod diagram;
mod documents;
mod error;
mod glyphs;
mod paint;
mod pieces;
#[cfg(feature = "png")]
mod png;
mod svg;
mod text;

pub use crate::arrow::Arrow;
pub use crate::colors::Colors;
pub use crate::diagram::{Board, DEFAULT_SIZE};
pub use crate::error::BoardError;
pub use crate::paint::{Paint, Rgba};
pub use crate::pieces::pieces;
#[cfg(feature = "png")]
pub use crate::png::MOST_PIXELS;
pub use crate::svg::definitions;
pub use crate::text::TextStyle;
