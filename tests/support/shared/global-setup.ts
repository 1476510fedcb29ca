import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { lookAtRemains } from '../canary/look-at-remains.ts'
import { settingsIn } from '../canary/start-watching.ts'
import { type SharedName, type SharedParts, sharedSocket } from './contract.ts'

interface Started<Part> {
  readonly part: Part
  /** Contains everything that it writes, if it may end before the run does. */
  readonly folder?: string
  stop(): Promise<void>
}

/** Loaded when needed: most runs of a single suite need none. */
const starters: { readonly [Name in SharedName]: () => Promise<Started<SharedParts[Name]>> } = {
  kubernetes: async () => (await import('./start-kubernetes.ts')).startSharedKubernetes(),
  browser: async () => (await import('./start-browser.ts')).startSharedBrowser(),
  node: async () => (await import('./start-node.ts')).startSharedNode(),
  connectedKubectl: async () => (await import('./start-connected-kubectl.ts')).startConnectedKubectl(),
  image: async () => (await import('./build-image.ts')).buildSharedImage(),
}

/** Starts shared parts when the first suite asks for them. Threads end before the run does, so none of them can. */
export default async function prepareShared(project: TestProject): Promise<() => Promise<void>> {
  const { TENANT_CANARY_HOME: home, TMPDIR, GOGC } = project.config.env
  const settings = settingsIn(project.config.env)
  if (home === undefined || TMPDIR === undefined || GOGC === undefined || settings === undefined) {
    throw new Error('the configuration of the tests does not say where a run keeps its files')
  }
  // Its files are in the folder of all suites, which is searched.
  const before = { TMPDIR: process.env.TMPDIR, GOGC: process.env.GOGC }
  Object.assign(process.env, { TMPDIR, GOGC })
  const started = new Map<string, Promise<Started<object>>>()
  const users = new Map<string, number>()
  const start = async (name: string) => {
    const found = started.get(name) ?? (isSharedName(name) ? starters[name]() : refuse(name))
    started.set(name, found)
    users.set(name, (users.get(name) ?? 0) + 1)
    return (await found).part
  }
  const release = async (name: string) => {
    const left = (users.get(name) ?? 0) - 1
    users.set(name, left)
    if (left > 0) return {}
    const found = started.get(name)
    started.delete(name)
    const ended = await found
    if (ended?.folder !== undefined) lookAtRemains(settings, `shared-${name}`, ended.folder)
    await ended?.stop()
    return {}
  }
  const server = createServer(({ method, url = '' }, response) => {
    const name = url.slice(1)
    const done = method === 'DELETE' ? release(name) : start(name)
    done.then(
      (answer) => response.end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(sharedSocket(home), resolve))
  return async () => {
    server.close()
    if (started.size > 0) lookAtRemains(settings, 'shared')
    for (const each of await Promise.allSettled(started.values())) {
      if (each.status === 'fulfilled') await each.value.stop()
    }
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

function isSharedName(name: string): name is SharedName {
  return name in starters
}

function refuse(name: string): Promise<never> {
  return Promise.reject(new Error(`suites share no ${name}`))
}
