import { describe, expect, it } from 'vitest'
import type { Document } from '../contract.ts'
import { ConvertedMemory } from './converted-memory.ts'
import { ShownDocuments } from './shown-documents.ts'

const signal = new AbortController().signal

function documents(count: number, bytes: number): readonly Document[] {
  const json = Buffer.alloc(bytes)
  return Array.from({ length: count }, (_, index) => documentNamed(`n${index}`, json))
}

function documentNamed(name: string, json: Buffer): Document {
  const object = { apiVersion: 'e.com/v1', kind: 'Shop', metadata: { name } }
  return { namespace: '', name, resourceVersion: '1', labels: undefined, json, itemJson: json, object }
}

/** Shows each document with that many bytes, and counts the requests. */
function shownWith(bytes: number, mostBytes?: number) {
  const questions: number[] = []
  const json = Buffer.alloc(bytes)
  const memory = new ConvertedMemory({ now: () => 0 }, mostBytes)
  const shown = new ShownDocuments(async (batch) => {
    questions.push(batch.length)
    return batch.map(({ name }) => documentNamed(name, json))
  }, memory)
  return { questions, show: (given: readonly Document[]) => shown.show(given, signal) }
}

describe('documents converted to another version', () => {
  it('are requested in batches of 128 KiB, in order, and once', async () => {
    const { questions, show } = shownWith(10)
    const given = documents(5, 60 * 1024)
    expect((await show(given)).map(({ name }) => name)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4'])
    expect(questions).toEqual([2, 2, 1])
    await show([...given].reverse())
    expect(questions).toHaveLength(3)
  })

  it('are requested again if the cache had no room', async () => {
    const { questions, show } = shownWith(1024, 10 * 1024)
    const given = documents(100, 100)
    await show(given)
    await show(given)
    expect(questions).toEqual([100, expect.any(Number)])
    expect(questions[1]).toBeGreaterThan(90)
  })

  it('are refused if a webhook makes them too large', async () => {
    const { questions, show } = shownWith(1024 * 1024)
    await expect(show(documents(100_000, 2_000))).rejects.toThrow('request fewer at a time')
    expect(questions.length).toBeLessThan(5)
  })
})
