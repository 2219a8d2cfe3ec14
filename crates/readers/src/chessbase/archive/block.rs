//! Blocks of a member: their length and two bytes that are not used, how they are compressed, and their data.

use crate::chessbase::archive::bits::Codes;
use crate::chessbase::archive::lz;

/// Decodes the blocks of a member, one after another.
#[derive(Debug, Default)]
pub(super) struct BlockDecoder {
    /// The end of the text before, to which a block may refer, and the text of the block.
    text: Vec<u8>,
    codes: Codes,
    decoded: Vec<u8>,
}

impl BlockDecoder {
    /// Returns the text of a block. The error completes a sentence after the name of the member.
    pub(super) fn decode(&mut self, payload: &[u8]) -> Result<&[u8], &'static str> {
        let kept = self.text.len().min(lz::REACH);
        self.text.drain(..self.text.len() - kept);
        let (method, data) = payload.split_first().ok_or("has an empty block")?;
        match method {
            0 => self.text.extend_from_slice(data),
            1 => lz::decode(data, &mut self.text)?,
            2 => self.codes.decode(data, &mut self.text)?,
            3 => {
                self.decoded.clear();
                self.codes.decode(data, &mut self.decoded)?;
                lz::decode(&self.decoded, &mut self.text)?;
            }
            _ => return Err("has a block that is compressed in an unknown way"),
        }
        Ok(&self.text[kept..])
    }
}
