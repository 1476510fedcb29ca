import { projectNamespace } from '../../auth/scope/request.ts'
import { WorkQueue } from '../../base/work-queue.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { ensureObject } from '../../registry/controllers/ensure.ts'
import { follow } from '../follow.ts'
import { platformRequest } from '../platform-user.ts'

const manager = 'project-namespaces'

export interface ProjectNamespacesOptions {
  readonly projects: () => ResourceContext
  readonly namespaces: () => ResourceContext
  readonly report: ReportError
}

/** Every project has the namespace in which its objects live. It stays when the project goes, with what is in it. */
export class ProjectNamespaces implements Controller {
  readonly #options: ProjectNamespacesOptions
  readonly #stop = new AbortController()
  readonly #queue: WorkQueue
  #unfollow = (): void => {}

  constructor(options: ProjectNamespacesOptions) {
    this.#options = options
    this.#queue = new WorkQueue({
      handle: (project) => this.ensure(project),
      onError: (project, error) => options.report(manager, project, error),
    })
  }

  start(): void {
    this.#unfollow = follow(this.#options.projects().cache, {
      put: ({ name }) => this.#queue.add(name),
      remove: () => {},
    })
  }

  async ensure(project: string): Promise<void> {
    const name = projectNamespace(project)
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    await ensureObject(this.#options.namespaces(), namespace, platformRequest(manager, this.#stop.signal))
  }

  async stop(): Promise<void> {
    this.#unfollow()
    this.#stop.abort()
    await this.#queue.stop()
  }
}
