import { CoreV1Api, type Informer, makeInformer, type ObjectCache, type V1ConfigMap } from '@kubernetes/client-node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { printKubeconfig } from '../../src/cluster/kubeconfig.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { embeddedStore } from '../reliability/support/running.ts'
import { type ServerProcess, startServerProcess } from '../reliability/support/server-process.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { asMergePatch, configOf } from './javascript-client.ts'

const namespace = 'default'
const patienceMs = 240_000

describe('an informer of the JavaScript client', () => {
  const restarts: readonly { readonly how: string; end(server: ServerProcess): Promise<unknown> }[] = [
    { how: 'asked to stop', end: (server) => server.stop() },
    { how: 'killed', end: (server) => server.kill() },
  ]

  it.each(restarts)('resumes after the server was $how and started again', { timeout: 240_000 }, async ({ end }) => {
    const world = await World.start()
    await world.fill()
    await end(world.server)
    await world.startServer()
    await world.change()
    world.reconnect()

    await eventually(() => expect(world.seen).toEqual([...filled, ...changed]), patienceMs)
    await world.sameAsServer()
  })

  it('lists again when the server no longer has the history', { timeout: 240_000 }, async () => {
    const world = await World.start()
    await world.fill()
    await world.server.stop()
    await world.startServer()
    await world.change()
    await world.server.stop()
    await world.forgetHistory()
    await world.startServer()
    world.reconnect()

    await eventually(() => expect(world.seen.slice(filled.length).sort()).toEqual([...changed].sort()), patienceMs)
    await world.sameAsServer()
  })
})

const filled = ['add one', 'add two', 'add three', 'update three', 'delete two']
const changed = ['update one', 'delete three', 'add four']

interface RestartableServer {
  readonly store: string
  readonly directory: string
  readonly port: number
}

/** A server that can be restarted at its address, a client, and an informer that records what it sees. */
class World {
  readonly seen: string[] = []
  server: ServerProcess
  readonly #options: RestartableServer
  readonly #core: CoreV1Api
  readonly #informer: Informer<V1ConfigMap> & ObjectCache<V1ConfigMap>
  #waiting = false

  private constructor(server: ServerProcess, options: RestartableServer) {
    this.server = server
    this.#options = options
    const { url, authority, token } = server
    const config = configOf(printKubeconfig([{ name: 'test', server: url, certificateAuthority: authority, token }]))
    this.#core = config.makeApiClient(CoreV1Api)
    this.#informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
      this.#core.listNamespacedConfigMap({ namespace }),
    )
    for (const event of ['add', 'update', 'delete'] as const) {
      this.#informer.on(event, ({ metadata }) => {
        if (metadata?.name !== 'kube-root-ca.crt') this.seen.push(`${event} ${metadata?.name}`)
      })
    }
    this.#informer.on('error', () => {
      this.#waiting = true
    })
  }

  static async start(): Promise<World> {
    const options = { ...(await embeddedStore()), port: await freePort() }
    const world = new World(await startServerProcess(options), options)
    onTestFinished(async () => {
      await world.#informer.stop()
      await world.server.kill()
    })
    await world.#informer.start()
    return world
  }

  async startServer(): Promise<void> {
    this.server = await startServerProcess(this.#options)
  }

  async fill(): Promise<void> {
    for (const name of ['one', 'two', 'three']) await this.#create(name)
    await this.#patch('three')
    await this.#core.deleteNamespacedConfigMap({ namespace, name: 'two' })
    await eventually(() => expect(this.seen).toEqual(filled), patienceMs)
  }

  async change(): Promise<void> {
    await eventually(() => expect(this.#waiting).toBe(true), patienceMs)
    await this.#patch('one')
    await this.#core.deleteNamespacedConfigMap({ namespace, name: 'three' })
    await this.#create('four')
  }

  /** This client's informer has to be restarted after an error. */
  reconnect(): void {
    void this.#informer.start()
  }

  async forgetHistory(): Promise<void> {
    const store = await openLmdbStore({ directory: this.#options.store.slice('file:'.length) })
    await store.compact(await store.currentRevision())
    await store.close()
  }

  async sameAsServer(): Promise<void> {
    const { items } = await this.#core.listNamespacedConfigMap({ namespace })
    const versions = (objects: readonly V1ConfigMap[]) =>
      objects.map(({ metadata }) => `${metadata?.name} ${metadata?.resourceVersion}`).sort()
    expect(versions(this.#informer.list(namespace))).toEqual(versions(items))
  }

  #create(name: string): Promise<V1ConfigMap> {
    return this.#core.createNamespacedConfigMap({ namespace, body: { metadata: { name } } })
  }

  #patch(name: string): Promise<V1ConfigMap> {
    return this.#core.patchNamespacedConfigMap({ namespace, name, body: { data: { changed: 'yes' } } }, asMergePatch)
  }
}
