import type { RecordedUse } from '../../../auth/keys/contract.ts'
import { anything } from '../../../auth/keys/usage/fold-uses.ts'
import { asJson } from '../../../base/json/lenient.ts'

/**
 * Encodes the uses of a key: each distinct text once, and every use as the indexes of its seven parts among them plus
 * its time in milliseconds.
 */
export function encodedUses(uses: readonly RecordedUse[]): Buffer {
  const places = new Map<string, number>()
  const placeOf = (text: string): number => {
    const place = places.get(text) ?? places.size
    places.set(text, place)
    return place
  }
  const rows = uses.map(({ verb, group, resource, namespace, name, path, target, lastMs }) => [
    ...[verb, group, resource, namespace, name, path, target].map(placeOf),
    lastMs,
  ])
  return Buffer.from(JSON.stringify([[...places.keys()], rows]))
}

/** Stands for a record that cannot be read: it may have been any use, so it must not count as no use. */
const unreadable: RecordedUse = {
  verb: anything,
  group: anything,
  resource: anything,
  namespace: anything,
  name: anything,
  path: '',
  target: anything,
  lastMs: 0,
}

export function decodedUses(value: Uint8Array): readonly RecordedUse[] {
  const [texts, rows] = listOf(asJson(Buffer.from(value).toString())).map(listOf)
  if (texts === undefined || rows === undefined) return [unreadable]
  return rows.map((row) => useOf(listOf(row), texts) ?? unreadable)
}

function useOf(row: readonly unknown[], texts: readonly unknown[]): RecordedUse | undefined {
  const parts = row.slice(0, 7).flatMap((place) => textAt(place, texts))
  const [verb, group, resource, namespace, name, path, target] = parts
  const lastMs = row[7]
  if (verb === undefined || group === undefined || resource === undefined || namespace === undefined) return undefined
  if (name === undefined || path === undefined || target === undefined || typeof lastMs !== 'number') return undefined
  return { verb, group, resource, namespace, name, path, target, lastMs }
}

function textAt(place: unknown, texts: readonly unknown[]): readonly string[] {
  const text = typeof place === 'number' ? texts[place] : undefined
  return typeof text === 'string' ? [text] : []
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
