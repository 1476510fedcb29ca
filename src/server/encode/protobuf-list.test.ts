import { describe, expect, it } from 'vitest'
import { configMap } from '../../api/core/config-map.ts'
import { decodeProtobuf } from '../../api/decode/protobuf.ts'
import { ApiError } from '../../api/error.ts'
import type { Document } from '../../registry/contract.ts'
import { unstoredDocument } from '../../registry/document.ts'
import type { Response } from '../http.ts'
import { protobufListResponse } from './protobuf-list.ts'
import { protobufView } from './protobuf-view.ts'

const view = protobufView(configMap, { format: 'protobuf', as: '', version: 'v1' })

function documentOf(name: string, text: string): Document {
  return unstoredDocument({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text } })
}

const listOf = (count: number, text: string) => ({
  resourceVersion: '7',
  documents: Array.from({ length: count }, (_, index) => documentOf(`c${index}`, text)),
})

/** Pauses after every step. */
function work(signal = new AbortController().signal) {
  const counted = { rests: 0 }
  const pacing = {
    isDue: () => true,
    rest: async () => {
      counted.rests++
    },
  }
  return { pacing, signal, counted }
}

async function piecesOf({
  body,
}: Response): Promise<{ readonly pieces: readonly Buffer[]; readonly byteLength?: number }> {
  if (Buffer.isBuffer(body)) return { pieces: [body] }
  if (body.form !== 'pieces' || body.byteLength === undefined) throw new Error('not a list of known length')
  const pieces: Buffer[] = []
  for await (const piece of body.pieces) pieces.push(Buffer.from(piece))
  return { pieces, byteLength: body.byteLength }
}

describe('a list in protobuf', () => {
  it('is one buffer when it is short', async () => {
    const { pieces } = await piecesOf(await protobufListResponse(view, listOf(3, 'x'), work()))
    expect(decodeProtobuf(Buffer.concat(pieces), { kind: 'ConfigMapList' }).value).toMatchObject({
      kind: 'ConfigMapList',
      metadata: { resourceVersion: '7' },
      items: [{ metadata: { name: 'c0' } }, { metadata: { name: 'c1' } }, { metadata: { name: 'c2' } }],
    })
  })

  it.each([
    ['kept from the first pass', 20, 10_000],
    ['made once more', 12, 900_000],
  ])('that is long, %s, has the promised length, and pauses between its items', async (_, count, length) => {
    const asked = work()
    const response = await protobufListResponse(view, listOf(count, 'x'.repeat(length)), asked)
    expect(asked.counted.rests).toBe(count)
    const { pieces, byteLength } = await piecesOf(response)
    const whole = Buffer.concat(pieces)
    expect(whole.length).toBe(byteLength)
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(length + 100_000)
    expect(Object(decodeProtobuf(whole, { kind: 'ConfigMapList' }).value).items).toHaveLength(count)
    expect(asked.counted.rests).toBeGreaterThanOrEqual(2 * count)
  })

  it('is given up when its caller has disconnected', async () => {
    const gone = new AbortController()
    const asked = work(gone.signal)
    const answer = protobufListResponse(view, listOf(20, 'x'.repeat(10_000)), asked)
    gone.abort()
    await expect(answer).rejects.toThrow(ApiError)
    expect(asked.counted.rests).toBeLessThan(3)
  })
})
