//! Rows of whole games as Arrow record batches.

use crate::jobs::batches::{Batching, batch_methods};
use crate::jobs::game_rows::GameRows;
use crate::jobs::whole_games::WholeGames;

impl GameRows {
    batch_methods! {
        /// Reads databases on background threads and returns their games as an iterator of record batches. The format
        /// that was set is ignored.
        ///
        /// A batch has at most 8,192 rows, or the number set by [`group`](GameRows::group). The threads read only a few
        /// batches ahead. They stop when the iterator is dropped.
        ///
        /// ```
        /// use pgn2fen_games::database::Database;
        /// use pgn2fen_rows::GameRows;
        ///
        /// let games = Database::from(b"1. e4 e5 1-0\n".repeat(1000));
        /// let mut batches = GameRows::columns("moves,result")?.batches([games])?;
        /// let batch = batches.next().expect("there are games")?;
        /// assert_eq!((batch.num_rows(), batch.num_columns()), (1000, 2));
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        ///
        /// # Errors
        ///
        /// The threads cannot be started. The error of a file that cannot be read comes as an item of the iterator.
    }

    fn batching(&self) -> (WholeGames, Batching) {
        let columns = self.row_columns();
        let task = WholeGames { columns: columns.clone(), style: self.style, has_refused: self.has_refused };
        (task, Batching { columns, group: Some(self.most_rows()), is_held: false, read: self.read.clone() })
    }
}
