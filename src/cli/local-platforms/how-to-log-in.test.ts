import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { announce } from './announce.ts'
import { howToLogIn } from './how-to-log-in.ts'

function makeHome() {
  const home = mkdtempSync(join(tmpdir(), 'tenant-home-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  return { home, terminal: { env: { HOME: home } } }
}

function startAt(directory: string) {
  mkdirSync(directory, { recursive: true })
  const description = { pid: process.pid, platform: { url: 'https://127.0.0.1:8443' } }
  writeFileSync(join(directory, 'up.json'), JSON.stringify(description))
}

it('a user with a running tenant up gets the complete command', async () => {
  const { home, terminal } = makeHome()
  startAt(join(home, '.tenant', 'data'))
  expect(await howToLogIn(terminal)).toBe(
    'tenant platform login https://127.0.0.1:8443 --ca ~/.tenant/data/pki/ca.crt --access-key-stdin < ~/.tenant/data/admin.key',
  )
})

it('the command quotes a data directory elsewhere for the shell', async () => {
  const { home, terminal } = makeHome()
  const directory = join(home, 'my data')
  startAt(directory)
  announce(directory, terminal)
  expect(await howToLogIn(terminal)).toContain("--ca ~/'my data/pki/ca.crt'")
})

it('other users get a placeholder for the address', async () => {
  const { terminal } = makeHome()
  expect(await howToLogIn(terminal)).toBe('tenant platform login URL')
})
