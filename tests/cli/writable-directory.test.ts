import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtCli } from '../support/programs/built-cli.ts'

/** A volume that belongs to another user, as storage without support for fsGroup leaves it. */
describe.skipIf(process.getuid?.() !== 0)('a data directory that may not be written to', () => {
  const uid = 65_532
  let directory: string
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'tenant-volume-'))
    chmodSync(directory, 0o700)
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  it.each(['run --name a -n b', 'platform serve --store file:/tmp/none --license none'])(
    'is reported by tenant %s, with a remedy',
    (command) => {
      const args = [builtCli(), ...command.split(' '), '--data-dir', directory]
      const env = { PATH: process.env.PATH, HOME: directory }
      const { status, stderr } = spawnSync(process.execPath, args, { uid, gid: uid, env, cwd: '/', encoding: 'utf8' })
      expect(stderr).toContain(`error: the data directory ${directory} cannot be written to by the user 65532 (EACCES)`)
      expect(stderr).toContain('honors fsGroup')
      expect(status).toBe(1)
    },
  )

  it('is reported by tenant up as a wrong directory', () => {
    const args = [builtCli(), 'up', '--port', '0', '--data-dir', directory]
    const env = { PATH: process.env.PATH, HOME: directory }
    const { status, stderr } = spawnSync(process.execPath, args, { uid, gid: uid, env, cwd: '/', encoding: 'utf8' })
    expect(stderr).toBe(
      `error: the data directory ${directory} cannot be written to by the user 65532 (EACCES): choose another one with --data-dir\n`,
    )
    expect(status).toBe(2)
  })
})

describe.runIf(process.platform === 'linux')('a data directory that cannot be created', () => {
  const servers = ['up --port 0', 'run --name a -n b', 'platform serve --store file:/tmp/none --license none']
  const wrong = [
    ['/proc/tenant', 'ENOENT'],
    ['/proc/version/tenant', 'ENOTDIR'],
    ['/proc/version', 'there is something else of that name'],
  ] as const

  it.each(servers.flatMap((server) => wrong.map((each) => [server, ...each] as const)))(
    'is reported at once by tenant %s: %s',
    (server, directory, why) => {
      const args = [builtCli(), ...server.split(' '), '--data-dir', directory]
      const env = { PATH: process.env.PATH, HOME: tmpdir() }
      // A server that keeps running has no status.
      const { status, stderr } = spawnSync(process.execPath, args, {
        env,
        cwd: '/',
        encoding: 'utf8',
        timeout: 60_000,
        killSignal: 'SIGKILL',
      })
      expect(stderr).toBe(
        `error: the data directory ${directory} cannot be created (${why}): choose another one with --data-dir\n`,
      )
      expect(status).toBe(2)
    },
  )
})
