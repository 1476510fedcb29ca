import { describe, expect, it } from 'vitest'
import { configMap } from '../../api/core/config-map.ts'
import type { Document } from '../../registry/contract.ts'
import type { Pieces } from '../http.ts'
import { listBody } from './list.ts'

function documentOf(json: string): Document {
  const bytes = Buffer.from(json)
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }
  return { namespace: '', name: '', resourceVersion: '1', labels: undefined, json: bytes, itemJson: bytes, object }
}

interface Encoded {
  readonly form: string
  readonly text: string
  readonly length: number | undefined
}

async function textOf(items: readonly string[]): Promise<Encoded> {
  const body = listBody(configMap, { documents: items.map(documentOf), resourceVersion: '7' })
  if (Buffer.isBuffer(body)) return { form: 'whole', text: body.toString(), length: body.length }
  if (body.form !== 'pieces') throw new Error('a list is no stream')
  return { form: 'pieces', text: await textOfPieces(body.pieces), length: body.byteLength }
}

/** Each piece is valid only until the next one. */
async function textOfPieces(pieces: Pieces['pieces']): Promise<string> {
  const copies: Buffer[] = []
  for await (const piece of pieces) copies.push(Buffer.from(piece))
  return Buffer.concat(copies).toString()
}

const opening = '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":['

describe('the body of a list', () => {
  it.each([
    [[], 'whole'],
    [['{"a":1}'], 'whole'],
    [['{"a":1}', '{"b":"ü"}'], 'whole'],
    [Array.from({ length: 10_000 }, (_, index) => `{"index":${index},"pad":"${'x'.repeat(500)}"}`), 'pieces'],
    [[`"${'y'.repeat(3_000_000)}"`, '{}', `"${'z'.repeat(3_000_000)}"`, '1'], 'pieces'],
  ])('joins its items (%#)', async (items, form) => {
    const { text, length, form: made } = await textOf(items)
    expect(text === `${opening}${items.join(',')}]}\n`).toBe(true)
    expect(length).toBe(Buffer.byteLength(text))
    expect(made).toBe(form)
  })
})
