import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { management, startPlatform, type TestPlatform, userNamed } from '../../platform/platform.ts'
import { makeWorkplace, type Run, type Setting, type Workplace } from './support.ts'

/** A platform with the user ada of the team web, and for each test a home directory to log in from. */
export interface LoggedIn {
  readonly server: TestPlatform
  readonly place: Workplace
  readonly caFile: string
  /** Advances the clock of the platform. */
  advance(ms: number): void
  loginWith(key: string): Promise<void>
  /** Logs in with a new key of the user, which is returned. */
  loginAs(user: string, spec?: object): Promise<string>
  platform(args: readonly string[], setting?: Setting): Promise<Run>
  keys(...args: readonly string[]): Promise<Run>
  /** The name of the key in use. */
  ownKey(): Promise<string>
  /** The platform's status code for a request with that key. */
  statusWith(key: string): Promise<number>
}

export function loggedIn(): LoggedIn {
  let server: TestPlatform
  let place: Workplace
  let laterMs = 0

  beforeAll(async () => {
    server = await startPlatform({ clock: { now: () => systemClock.now() + laterMs } })
    await server.must('POST', `${management}/users`, userNamed('ada'))
    await server.must('POST', `${management}/teams`, { metadata: { name: 'web' }, spec: { users: ['ada'] } })
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    place = await makeWorkplace()
    await writeFile(join(place.directory, 'ca.crt'), server.server.authority)
  })
  afterEach(() => place.remove())

  const self: LoggedIn = {
    get server() {
      return server
    },
    get place() {
      return place
    },
    get caFile() {
      return join(place.directory, 'ca.crt')
    },
    advance: (ms) => {
      laterMs += ms
    },
    loginWith: async (key) => {
      const args = ['login', server.server.url, '--access-key-stdin', '--ca', self.caFile, '--name', 'p']
      const { exitCode, stderr } = await place.platform(args, { input: key })
      if (exitCode !== 0) throw new Error(stderr)
    },
    loginAs: async (user, spec = {}) => {
      const key = await server.keyOf(user, spec)
      await self.loginWith(key)
      return key
    },
    platform: (args, setting) => place.platform(args, setting),
    keys: (...args) => place.platform(['keys', ...args]),
    ownKey: async () => JSON.parse((await place.platform(['whoami', '-o', 'json'])).stdout).key.name,
    statusWith: async (key) => (await server.ask('GET', '/version', { token: key })).status,
  }
  return self
}

/** Parses lines such as `Name      ci`. */
export function fieldsOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(text.split('\n').map((line) => /^(\S+)\s+(.*)$/.exec(line)?.slice(1) ?? ['', '']))
}
