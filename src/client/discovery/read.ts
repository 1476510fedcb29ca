import { ApiError } from '../../api/error.ts'
import { UnacceptableAnswer } from '../connection/connection-error.ts'
import type { ResourceType } from '../contract.ts'
import { ask } from '../requests.ts'
import type { Transport } from '../transport/contract.ts'
import { aggregatedResources, groupVersions, resourcesOfVersion, staleVersions } from './parse.ts'

const accept = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',')

/** Limit of versions that are requested one by one. */
const mostVersions = 1_000

/** A version of a group whose resources the server could not list. */
export interface UnreadVersion {
  readonly apiVersion: string
  readonly error: ApiError
}

export interface ReadTypes {
  readonly types: readonly ResourceType[]
  readonly unread: readonly UnreadVersion[]
}

/**
 * Everything that a server serves, preferred versions first: two requests if it supports aggregated discovery,
 * otherwise one per version of a group.
 */
export async function readServed(transport: Transport): Promise<ReadTypes> {
  const [core, named] = await Promise.all(
    ['/api', '/apis'].map((path) => ask(transport, { method: 'GET', path, accept })),
  )
  const [coreTypes, namedTypes] = [aggregatedResources(core ?? {}), aggregatedResources(named ?? {})]
  const versions = [
    ...(coreTypes === undefined ? ['v1'] : []),
    ...(namedTypes === undefined ? groupVersions(named ?? {}) : staleVersions(named ?? {})),
  ]
  if (versions.length > mostVersions)
    throw new UnacceptableAnswer(`${transport.origin} says that it serves more than ${mostVersions} versions of groups`)
  const answers = await Promise.all(versions.map((version) => readVersion(transport, version)))
  return {
    types: [...(coreTypes ?? []), ...answers.flatMap(({ types }) => types), ...(namedTypes ?? [])],
    unread: answers.flatMap(({ unread }) => unread),
  }
}

/** A group that cannot answer must neither hide the others nor count as one that serves nothing. */
async function readVersion(transport: Transport, apiVersion: string): Promise<ReadTypes> {
  const path = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
  try {
    return { types: resourcesOfVersion(await ask(transport, { method: 'GET', path })), unread: [] }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 401) throw error
    return { types: [], unread: error.code === 404 ? [] : [{ apiVersion, error }] }
  }
}
