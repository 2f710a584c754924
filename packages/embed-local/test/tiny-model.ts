/** Writes a whole GGUF model of random weights, small enough for a test: one block of BERT over single letters and digits. */
import { writeFileSync } from 'node:fs'

export interface TinyModel {
  readonly dimensions?: number
  readonly contextLength?: number
  /** Other weights, another model. */
  readonly seed?: number
}

/** GGUF version 3: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
const VERSION = 3
const ALIGNMENT = 32
const TYPE = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const
const F32 = 0

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']
const CONTROL_TOKEN = 3
const NORMAL_TOKEN = 1
const CHARACTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789.,:?!-']
/** The beginning of a word has its mark, what follows has none. */
const PIECES = CHARACTERS.flatMap((character) => [`\u2581${character}`, character])

type Tensor = readonly [name: string, shape: readonly number[], kind: 'random' | 'ones' | 'zeros']

/** Writes the file and answers its path. */
export function writeTinyModel(path: string, { dimensions = 32, contextLength = 1024, seed = 1 }: TinyModel = {}): string {
  const tensors = tensorsOf(dimensions, contextLength)
  const values = metadataOf(dimensions, contextLength)
  const offsets = tensors.reduce<number[]>((all, [, shape]) => [...all, (all.at(-1) ?? 0) + padded(sizeOf(shape) * 4)], [0])
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(VERSION),
    uint64(tensors.length),
    uint64(values.length),
    ...values,
    ...tensors.flatMap(([name, shape], index) => [
      text(name),
      uint32(shape.length),
      ...shape.map(uint64),
      uint32(F32),
      uint64(offsets[index] ?? 0),
    ]),
  ])
  const random = mulberry32(seed)
  const data = tensors.map(([, shape, kind]) => padding(tensorData(sizeOf(shape), kind, random)))
  writeFileSync(path, Buffer.concat([padding(head), ...data]))
  return path
}

function tensorsOf(dimensions: number, contextLength: number): readonly Tensor[] {
  const inner = dimensions * 2
  const normed = (name: string): readonly Tensor[] => [
    [`${name}.weight`, [dimensions], 'ones'],
    [`${name}.bias`, [dimensions], 'zeros'],
  ]
  const linear = (name: string, from: number, to: number): readonly Tensor[] => [
    [`${name}.weight`, [from, to], 'random'],
    [`${name}.bias`, [to], 'zeros'],
  ]
  return [
    ['token_embd.weight', [dimensions, SPECIAL.length + PIECES.length], 'random'],
    ['token_types.weight', [dimensions, 2], 'random'],
    ['position_embd.weight', [dimensions, contextLength], 'random'],
    ...normed('token_embd_norm'),
    ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].flatMap((name) => linear(`blk.0.${name}`, dimensions, dimensions)),
    ...normed('blk.0.attn_output_norm'),
    ...linear('blk.0.ffn_up', dimensions, inner),
    ...linear('blk.0.ffn_down', inner, dimensions),
    ...normed('blk.0.layer_output_norm'),
  ]
}

function metadataOf(dimensions: number, contextLength: number): readonly Buffer[] {
  const tokens = [...SPECIAL, ...PIECES]
  const types = [...SPECIAL.map(() => CONTROL_TOKEN), ...PIECES.map(() => NORMAL_TOKEN)]
  const id = (token: string): Buffer => uint32(SPECIAL.indexOf(token))
  return [
    entry('general.architecture', 'string', text('bert')),
    entry('general.name', 'string', text('tiny')),
    entry('bert.context_length', 'uint32', uint32(contextLength)),
    entry('bert.embedding_length', 'uint32', uint32(dimensions)),
    entry('bert.feed_forward_length', 'uint32', uint32(dimensions * 2)),
    entry('bert.block_count', 'uint32', uint32(1)),
    entry('bert.attention.head_count', 'uint32', uint32(4)),
    entry('bert.attention.layer_norm_epsilon', 'float32', float32(1e-12)),
    entry('bert.attention.causal', 'bool', Buffer.from([0])),
    // Mean over the tokens.
    entry('bert.pooling_type', 'uint32', uint32(1)),
    entry('tokenizer.ggml.model', 'string', text('bert')),
    entry('tokenizer.ggml.tokens', 'array', list('string', tokens.map(text))),
    entry('tokenizer.ggml.token_type', 'array', list('int32', types.map(uint32))),
    entry('tokenizer.ggml.token_type_count', 'uint32', uint32(2)),
    entry('tokenizer.ggml.bos_token_id', 'uint32', id('[CLS]')),
    entry('tokenizer.ggml.eos_token_id', 'uint32', id('[SEP]')),
    entry('tokenizer.ggml.unknown_token_id', 'uint32', id('[UNK]')),
    // The name is spelt so in the format.
    entry('tokenizer.ggml.seperator_token_id', 'uint32', id('[SEP]')),
    entry('tokenizer.ggml.padding_token_id', 'uint32', id('[PAD]')),
    entry('tokenizer.ggml.cls_token_id', 'uint32', id('[CLS]')),
    entry('tokenizer.ggml.mask_token_id', 'uint32', id('[MASK]')),
  ]
}

const entry = (key: string, type: keyof typeof TYPE, value: Buffer): Buffer =>
  Buffer.concat([text(key), uint32(TYPE[type]), value])

const list = (type: keyof typeof TYPE, values: readonly Buffer[]): Buffer =>
  Buffer.concat([uint32(TYPE[type]), uint64(values.length), ...values])

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint64(bytes.length), bytes])
}

const sizeOf = (shape: readonly number[]): number => shape.reduce((product, length) => product * length, 1)
const padded = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT
const padding = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)])

function tensorData(size: number, kind: Tensor[2], random: () => number): Buffer {
  const values = Float32Array.from({ length: size }, () => (kind === 'random' ? random() - 0.5 : kind === 'ones' ? 1 : 0))
  return Buffer.from(values.buffer)
}

/** Tommy Ettinger's generator, public domain: seeded, 0 to 1. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
