//! Starting positions as Arrow record batches.

use crate::jobs::starts::builder::Starts;
use crate::jobs::starts::start_rows::StartRows;
use crate::{Batching, batch_methods};
use pgn2fen_games::replay::VariantPolicy;

impl Starts {
    batch_methods! {
        /// Reads databases on background threads and returns their starting positions as an iterator of record batches.
        /// The format that was set is ignored. If no columns were set, they are those of
        /// [`Columns::starts`](crate::Columns::starts).
        ///
        /// A batch has at most 16,384 rows. If equal starting positions are [counted](crate::Columns::has_count), all
        /// rows are held in memory until the last file has been read; otherwise the threads read only a few batches
        /// ahead. They stop when the iterator is dropped.
        ///
        /// ```
        /// use pgn2fen_games::database::Database;
        /// use pgn2fen_rows::Columns;
        /// use pgn2fen_rows::starts::Starts;
        ///
        /// let games = b"1. e4 * [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] 1. e4 *".repeat(2);
        /// let mut batches = Starts::columns(Columns::of_starts("count,kind,fen")?).batches([Database::from(games)])?;
        /// let batch = batches.next().expect("there is a starting position")?;
        /// assert_eq!((batch.num_rows(), batch.num_columns()), (1, 3));
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        ///
        /// # Errors
        ///
        /// The threads cannot be started. The error of a file that cannot be read comes as an item of the iterator.
    }

    fn batching(&self) -> (StartRows, Batching) {
        let columns = self.block_columns();
        let is_held = self.is_held(&columns);
        let task = StartRows {
            listed: self.listed(),
            style: self.style,
            columns: columns.clone(),
            variants: VariantPolicy::Play,
        };
        (task, Batching { columns, group: None, is_held, read: self.read.clone() })
    }
}
