//! The message of a record batch in an IPC stream (Arrow Columnar Format, section "Serialization and Interprocess
//! Communication").
//!
//! The writer of the crate arrow-ipc takes arrays of any type, and so a program that calls it has the code for all of
//! them. These messages are the same to the byte.

use arrow_buffer::{Buffer, NullBuffer};
use arrow_ipc::writer::{EncodedData, IpcWriteOptions, write_message};
use arrow_ipc::{FieldNode, MessageBuilder, MessageHeader, MetadataVersion, RecordBatchBuilder};
use arrow_schema::ArrowError;
use flatbuffers::FlatBufferBuilder;

use crate::encode::formats::arrow::values::Values;

/// Buffers begin at multiples of this, in bytes.
const ALIGNMENT: usize = 64;

/// Appends the message of a record batch, which shares the buffers of its columns.
pub(super) fn append_message(rows: usize, columns: &[Values], out: &mut Vec<Buffer>) -> Result<(), ArrowError> {
    let mut body = Body::default();
    columns.iter().for_each(|values| body.push_values(values));
    let mut builder = FlatBufferBuilder::new();
    let places = builder.create_vector(&body.places);
    let nodes = builder.create_vector(&body.nodes);
    let mut batch = RecordBatchBuilder::new(&mut builder);
    batch.add_length(rows as i64);
    batch.add_nodes(nodes);
    batch.add_buffers(places);
    let batch = batch.finish();
    let mut message = MessageBuilder::new(&mut builder);
    message.add_version(MetadataVersion::V5);
    message.add_header_type(MessageHeader::RecordBatch);
    message.add_bodyLength(body.length as i64);
    message.add_header(batch.as_union_value());
    let message = message.finish();
    builder.finish(message, None);
    let encoded = EncodedData { ipc_message: builder.finished_data().to_vec(), arrow_data: Vec::new() };
    let mut head = Vec::new();
    write_message(&mut head, encoded, &IpcWriteOptions::default())?;
    out.push(Buffer::from_vec(head));
    out.append(&mut body.buffers);
    Ok(())
}

/// The buffers of a message, and what its head says of them.
#[derive(Default)]
struct Body {
    nodes: Vec<FieldNode>,
    places: Vec<arrow_ipc::Buffer>,
    buffers: Vec<Buffer>,
    length: usize,
}

impl Body {
    /// Appends values, and those of their children behind them.
    fn push_values(&mut self, values: &Values) {
        let Values { rows, nulls, offsets, data, children } = values;
        let null_count = nulls.as_ref().map_or(0, NullBuffer::null_count);
        self.nodes.push(FieldNode::new(*rows as i64, null_count as i64));
        let bits = nulls.as_ref().filter(|_| null_count > 0).map(|nulls| nulls.inner().sliced());
        self.push(bits.unwrap_or_default());
        offsets.iter().chain(data).for_each(|buffer| self.push(buffer.clone()));
        children.iter().for_each(|values| self.push_values(values));
    }

    fn push(&mut self, buffer: Buffer) {
        static PADDING: [u8; ALIGNMENT] = [0; ALIGNMENT];
        let length = buffer.len();
        self.places.push(arrow_ipc::Buffer::new(self.length as i64, length as i64));
        self.length += length.next_multiple_of(ALIGNMENT);
        if length > 0 {
            self.buffers.push(buffer);
        }
        let padding = length.next_multiple_of(ALIGNMENT) - length;
        if padding > 0 {
            self.buffers.push(Buffer::from(&PADDING[..padding]));
        }
    }
}
