import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { keepRecord, type LocalRecord, readLocalRecord } from './local-record.ts'

const record: LocalRecord = {
  project: 'shop',
  name: 'web',
  tenant: 'web',
  namespace: 'tenant-web',
  uid: '6f1c',
  config: '',
  madeNamespace: true,
  key: 'tenant-web-abc',
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tenant-record-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

it('a record is read as it was written', async () => {
  const place = folder()
  keepRecord(place, record)
  expect(await readLocalRecord(place)).toEqual(record)
})

it('a record of an earlier version has no uid', async () => {
  const place = folder()
  const { uid: _, ...earlier } = record
  keepRecord(place, earlier)
  expect(await readLocalRecord(place)).toEqual(earlier)
})

it('a missing record is undefined', async () => {
  expect(await readLocalRecord(folder())).toBeUndefined()
})

it.each([
  ['nothing', ''],
  ['half of one', JSON.stringify(record).slice(0, 40)],
  ['another thing', '[]'],
  ['one without the namespace', JSON.stringify({ ...record, namespace: undefined })],
  ['one with a key that is not a string', JSON.stringify({ ...record, key: 7 })],
  ['one that does not say who made the namespace', JSON.stringify({ ...record, madeNamespace: undefined })],
])('a file with %s is an error that names it, and not a missing record', async (_, text) => {
  const place = folder()
  writeFileSync(join(place, 'instance.json'), text)
  await expect(readLocalRecord(place)).rejects.toThrow(`${join(place, 'instance.json')} records the objects`)
})

it('a file that cannot be opened is an error too', async () => {
  const place = folder()
  mkdirSync(join(place, 'instance.json'))
  await expect(readLocalRecord(place)).rejects.toThrow('cannot be read')
})
