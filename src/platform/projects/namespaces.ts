import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { projectNamespace, projectOfNamespace } from '../../auth/scope/request.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { ensureObject } from '../../registry/controllers/ensure.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { deleteObject } from '../../registry/verbs/delete.ts'
import { followCache } from '../follow.ts'
import { platformRequest } from '../platform-user.ts'

const manager = 'project-namespaces'

export interface ProjectNamespacesOptions {
  readonly projects: () => ResourceContext
  readonly namespaces: () => ResourceContext
  /** All kinds that a namespace may contain. */
  readonly contents: () => readonly ResourceContext[]
  readonly report: ReportError
}

/**
 * Every project has a namespace for its objects. When the project is deleted, a namespace that was created for it is
 * deleted as soon as it contains nothing that a user put there. Until then it stays, with its contents.
 */
export class ProjectNamespaces implements Controller {
  readonly #options: ProjectNamespacesOptions
  readonly #loop: Reconciler

  constructor(options: ProjectNamespacesOptions) {
    this.#options = options
    this.#loop = new Reconciler({
      reconcile: (project) => this.#handle(project),
      failed: (project, error) => options.report(manager, project, error),
    })
  }

  start(): void {
    const { projects, namespaces, contents } = this.#options
    const add = ({ name }: StoredDocument) => this.#loop.add(name)
    const addOwner = ({ name }: StoredDocument) => this.#addOwner(name)
    this.#loop.follow(
      followCache(projects().cache, { put: add, remove: add }),
      followCache(namespaces().cache, { put: addOwner, remove: addOwner }),
      ...contents().map(({ cache }) =>
        cache.listen((events) => {
          for (const { type, document } of events) if (type === 'DELETED') this.#addIfAlone(document.namespace)
        }),
      ),
    )
  }

  async ensure(project: string): Promise<void> {
    const request = platformRequest(manager, this.#loop.signal)
    await ensureObject(this.#options.namespaces(), namespaceFor(project), request)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #addOwner(namespace: string): void {
    const project = projectOfNamespace(namespace)
    if (project !== undefined) this.#loop.add(project)
  }

  /** An object was removed from a namespace, which matters only if its project was deleted before. */
  #addIfAlone(namespace: string): void {
    const project = projectOfNamespace(namespace)
    if (project !== undefined && !this.#hasProject(project)) this.#loop.add(project)
  }

  #hasProject(name: string): boolean {
    return this.#options.projects().cache.get({ namespace: '', name }) !== undefined
  }

  async #handle(project: string): Promise<void> {
    const namespaces = this.#options.namespaces()
    await caughtUp(namespaces.engine)
    if (this.#hasProject(project)) return this.ensure(project)
    const id = { namespace: '', name: projectNamespace(project) }
    const namespace = namespaces.cache.get(id)
    if (namespace === undefined || !isMadeForProject(namespace.object)) return
    if (!isEmptied(id.name, this.#options.contents())) return
    await this.#remove(namespace)
  }

  async #remove({ name, object }: StoredDocument): Promise<void> {
    const request = platformRequest(manager, this.#loop.signal)
    const { uid } = object.metadata
    const options = { dryRun: false, ...(uid !== undefined && { preconditions: { uid } }) }
    try {
      await deleteObject(this.#options.namespaces(), { namespace: '', name }, options, request)
    } catch (error) {
      if (!isRefusal(error, 404, 409)) throw error
    }
  }
}

/** Objects that every namespace gets automatically. */
const furniture: ReadonlySet<string> = new Set(['ServiceAccount default', 'ConfigMap kube-root-ca.crt'])

/** Whether a namespace contains nothing that a user put there. Events do not count. */
function isEmptied(namespace: string, contents: readonly ResourceContext[]): boolean {
  return contents.every((context) => context.kind.kind === 'Event' || !holdsForeign(context, namespace))
}

function holdsForeign({ kind, cache }: ResourceContext, namespace: string): boolean {
  let found = false
  cache.current().forRange(`${namespace}/`, `${namespace}0`, false, (_key: string, { name }: StoredDocument) => {
    if (!furniture.has(`${kind.kind} ${name}`)) found = true
  })
  return found
}

/** Label of a namespace that the platform made: the project it is for. */
const projectLabel = 'platform.internal/project'

function namespaceFor(project: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: projectNamespace(project), labels: { [projectLabel]: project } },
  }
}

/** Whether the namespace may be deleted with its project: it was made for it, and is not being deleted already. */
function isMadeForProject({ metadata }: KubeObject): boolean {
  const { name, labels, deletionTimestamp } = metadata
  const project = labels?.[projectLabel]
  return deletionTimestamp === undefined && project !== undefined && name === projectNamespace(project)
}
