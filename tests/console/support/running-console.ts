import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tenant } from '../../cli/tenant-process.ts'
import { type Answered, clientOf } from '../../platform/platform.ts'

/** A platform that serves its console, started as a user starts it. */
export interface RunningConsole {
  readonly url: string
  readonly adminKey: string
  /** The base path of management objects. */
  readonly management: string
  /** Sends a request as the administrator, outside the browser. Throws on a refusal. */
  must(method: string, path: string, body?: unknown): Promise<Answered['body']>
  ask: ReturnType<typeof clientOf>['ask']
  stop(): Promise<void>
}

export interface ConsoleOptions {
  readonly withDemo: boolean
  /** Additional flags of `tenant up`. */
  readonly flags?: readonly string[]
}

export async function startConsole({ withDemo, flags = [] }: ConsoleOptions): Promise<RunningConsole> {
  const directory = await mkdtemp(join(tmpdir(), 'console-'))
  const up = tenant('up', ...(withDemo ? [] : ['--no-demo']), '--port', '0', '--data-dir', directory, ...flags)
  await up.line('ready')
  const { platform } = JSON.parse(await readFile(join(directory, 'up.json'), 'utf8'))
  const adminKey = (await readFile(platform.adminKeyFile, 'utf8')).trim()
  const client = clientOf(platform.url, await readFile(platform.caFile, 'utf8'), adminKey)
  return {
    url: platform.url,
    adminKey,
    management: `/apis/management.${platform.domain}/v1`,
    ask: client.ask,
    must: async (method, path, body) => {
      const answer = await client.ask(method, path, body === undefined ? {} : { body })
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
      return answer.body
    },
    stop: async () => {
      await client.close()
      up.child.kill('SIGTERM')
      await up.finished
      await rm(directory, { recursive: true, force: true })
    },
  }
}
