import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Document } from '../../registry/contract.ts'
import { Slices } from '../fairness/slices.ts'
import type { Response } from '../http.ts'
import type { TextMedia } from '../request/negotiate.ts'
import { type ListText, listTextResponse } from './list-text.ts'

function documentOf(index: number, size: number): Document {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `c-${index}` },
    data: { text: 'x'.repeat(size), on: 'yes' },
  }
  const json = Buffer.from(JSON.stringify(object))
  return { namespace: '', name: `c-${index}`, resourceVersion: '1', labels: undefined, json, itemJson: json, object }
}

const list: ListText = {
  opening: '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[',
  member: 'items',
  empty: '[]',
  item: ({ itemJson }) => itemJson.toString(),
}
const media = (form: Partial<TextMedia>): TextMedia => ({
  format: 'json',
  pretty: false,
  as: '',
  version: 'v1',
  ...form,
})
const documents = (count: number, size = 500) => Array.from({ length: count }, (_, index) => documentOf(index, size))

async function textOf({ body }: Response): Promise<string> {
  if (Buffer.isBuffer(body)) return body.toString()
  if (body.form !== 'pieces') throw new Error('a list is no stream')
  let text = ''
  for await (const piece of body.pieces) text += piece.toString()
  return text
}

const respond = (listed: readonly Document[], form: Partial<TextMedia>, text = list) =>
  listTextResponse(text, listed, media(form), new Slices().for('ann'))

const expected = (count: number) => ({
  kind: 'ConfigMapList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '7' },
  items: documents(count).map(({ object }) => object),
})

describe('a long list that is encoded while it is sent', () => {
  it('is the same JSON as a short one', async () => {
    expect(await textOf(respond(documents(2_000), {}))).toBe(`${JSON.stringify(expected(2_000))}\n`)
  })

  it('is indented as one text', async () => {
    const text = await textOf(respond(documents(2_000), { pretty: true }))
    expect(text).toBe(`${JSON.stringify(expected(2_000), undefined, 2)}\n`)
  })

  it('is YAML as one text, with sorted members', async () => {
    const text = await textOf(respond(documents(300), { format: 'yaml' }))
    expect(parse(text)).toEqual(expected(300))
    const short = await textOf(respond(documents(2), { format: 'yaml' }))
    expect(text.startsWith(short.slice(0, short.indexOf('- apiVersion', short.indexOf('c-0'))))).toBe(true)
    expect(text.endsWith(short.slice(short.indexOf('kind: ConfigMapList')))).toBe(true)
  })

  it('contains objects as JSON in its YAML that would take long to print', async () => {
    const text = await textOf(respond(documents(2, 100_000), { format: 'yaml' }))
    expect(text).toContain('\n- {"apiVersion":"v1"')
    expect(parse(text).items).toHaveLength(2)
  })

  it.each([{}, { pretty: true }, { format: 'yaml' as const }])('is never ahead of its reader (%o)', async (form) => {
    let worked = 0
    const item = (document: Document) => {
      worked += 1
      return list.item(document)
    }
    const { body } = respond(documents(2_000), form, { ...list, item })
    if (Buffer.isBuffer(body) || body.form !== 'pieces') throw new Error('the list is short')
    expect(worked).toBe(0)
    for await (const piece of body.pieces) {
      expect(piece.length).toBeLessThan(100_000)
      break
    }
    expect(worked).toBeGreaterThan(0)
    expect(worked).toBeLessThan(200)
  })
})
