import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { announce } from './announce.ts'
import { isLocalPlatform, localPlatforms } from './find.ts'

const url = 'https://127.0.0.1:8443'
/** No process has such a large pid. */
const gone = 2 ** 30

function makeHome() {
  const home = mkdtempSync(join(tmpdir(), 'tenant-home-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const dataDirectory = (name: string, text: string) => {
    const directory = join(home, name)
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'up.json'), text)
    return directory
  }
  return { home, terminal: { env: { HOME: home } }, dataDirectory }
}

const described = (pid = process.pid) => JSON.stringify({ pid, platform: { url } })

it('a platform with the default data directory is found without an announcement', async () => {
  const { terminal, dataDirectory } = makeHome()
  const directory = dataDirectory('.tenant/data', described())
  expect(await localPlatforms(terminal)).toEqual([{ pid: process.pid, url, directory }])
})

it('one with another data directory is found while it is announced', async () => {
  const { home, terminal, dataDirectory } = makeHome()
  const withdraw = announce(dataDirectory('elsewhere', described()), terminal)
  expect(await isLocalPlatform(url, terminal)).toBe(true)
  withdraw()
  expect(await isLocalPlatform(url, terminal)).toBe(false)
  expect(readdirSync(join(home, '.tenant', 'running'))).toEqual([])
})

it.each([
  ['that has ended', described(gone)],
  ['whose description is damaged', described().slice(0, 12)],
  ['that does not say where its platform is', JSON.stringify({ pid: process.pid })],
])('one %s is ignored', async (_, text) => {
  const { terminal, dataDirectory } = makeHome()
  announce(dataDirectory('elsewhere', text), terminal)
  expect(await localPlatforms(terminal)).toEqual([])
})

it.each([
  ['https://127.0.0.1:8443', true],
  ['https://localhost:8443', true],
  ['https://[::1]:8443', true],
  ['https://localhost:9443', false],
  ['https://localhost.example:8443', false],
  ['https://platform.example:8443', false],
])('%s is the one on this machine: %s', async (asked, expected) => {
  const { terminal, dataDirectory } = makeHome()
  announce(dataDirectory('elsewhere', described()), terminal)
  expect(await isLocalPlatform(asked, terminal)).toBe(expected)
})
