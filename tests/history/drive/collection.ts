import type { Freshness, Write } from '../checker/history.ts'
import type { Request } from './transport.ts'

/** The ConfigMaps of one namespace. Each round has its own, so that rounds are independent. */
export class Collection {
  readonly namespace: string
  readonly path: string

  constructor(namespace: string) {
    this.namespace = namespace
    this.path = `/api/v1/namespaces/${namespace}/configmaps`
  }

  /** The cluster keeps its root certificate in every namespace. */
  isOurs(name: string | undefined): boolean {
    return name !== 'kube-root-ca.crt'
  }

  get(name: string, freshness: Freshness): Request {
    return { method: 'GET', path: `${this.path}/${name}${query(freshnessParameters(freshness))}` }
  }

  page(freshness: Freshness, limit: number, continueAt: string): Request {
    const parameters = continueAt === '' ? listParameters(freshness) : new URLSearchParams({ continue: continueAt })
    if (limit > 0) parameters.set('limit', String(limit))
    return { method: 'GET', path: `${this.path}${query(parameters)}` }
  }

  write(action: Write): Request {
    const { name } = action
    const path = `${this.path}/${name}`
    switch (action.do) {
      case 'create':
        return { method: 'POST', path: this.path, body: configMap({ name }, action.data) }
      case 'replace':
        return { method: 'PUT', path, body: configMap({ name, ...versionOf(action.expected) }, action.data) }
      case 'merge': {
        const body = { metadata: versionOf(action.expected), data: action.data }
        return { method: 'PATCH', path, body, contentType: 'application/merge-patch+json' }
      }
      case 'delete': {
        const { expected, expectedUid: uid } = action
        const preconditions = { ...versionOf(expected), ...(uid === undefined ? {} : { uid }) }
        return { method: 'DELETE', path, body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions } }
      }
    }
  }

  watch(parameters: Readonly<Record<string, string>>): string {
    return `${this.path}${query(new URLSearchParams({ watch: 'true', ...parameters }))}`
  }
}

function configMap(metadata: Readonly<Record<string, string>>, data: Readonly<Record<string, string>>) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
}

function versionOf(revision: number | undefined): Readonly<Record<string, string>> {
  return revision === undefined ? {} : { resourceVersion: String(revision) }
}

function freshnessParameters(freshness: Freshness): URLSearchParams {
  switch (freshness.state) {
    case 'latest':
      return new URLSearchParams()
    case 'any':
      return new URLSearchParams({ resourceVersion: '0' })
    case 'not older':
    case 'exact':
      return new URLSearchParams({ resourceVersion: String(freshness.revision) })
  }
}

function listParameters(freshness: Freshness): URLSearchParams {
  const parameters = freshnessParameters(freshness)
  if (freshness.state === 'not older') parameters.set('resourceVersionMatch', 'NotOlderThan')
  if (freshness.state === 'exact') parameters.set('resourceVersionMatch', 'Exact')
  return parameters
}

function query(parameters: URLSearchParams): string {
  return parameters.size === 0 ? '' : `?${parameters}`
}
