import { type ExecFileException, execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeWorkplace, type Run, type Workplace } from './support.ts'
import { startTlsServer, type TlsServer } from './tls-server.ts'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
const key = 'a-key-that-somebody-brought-themselves'

let place: Workplace
let server: TlsServer

beforeAll(async () => {
  server = await startTlsServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  place = await makeWorkplace()
})
afterEach(() => place.remove())

/** The built command in a separate process, which must end without a signal. */
function tenant(args: readonly string[], input = ''): Promise<Run> {
  return new Promise((resolve) => {
    const done = (error: ExecFileException | null, stdout: string, stderr: string) =>
      resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr })
    const options = { env: { HOME: place.directory, PATH: process.env.PATH }, timeout: 240_000 }
    const child = execFile(process.execPath, [main, 'platform', ...args], options, done)
    child.stdin?.end(input)
  })
}

describe('the command', () => {
  it('logs in by a pipe, and ends', async () => {
    const args = ['login', server.url, '--access-key-stdin', '--trust-fingerprint', server.fingerprint]
    expect(await tenant(args, `${key}\n`)).toMatchObject({ exitCode: 0, stdout: '' })
    expect(await tenant(['whoami', '-o', 'name'])).toEqual({ exitCode: 0, stdout: 'ada\n', stderr: '' })
  })

  it.each([
    [['whoami'], 1, 'you are not logged in to any platform'],
    [['keys', 'create', '--expire-after', 'soon'], 2, 'is not a duration'],
    [['login', 'https://127.0.0.1:1', '--access-key-stdin'], 1, 'nothing listens there'],
  ])('%j exits with %i', async (args, exitCode, problem) => {
    expect(await tenant(args, key)).toEqual({ exitCode, stdout: '', stderr: expect.stringContaining(problem) })
  })
})
