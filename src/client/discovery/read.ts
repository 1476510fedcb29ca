import { ApiError } from '../../api/error.ts'
import type { ResourceType } from '../contract.ts'
import { ask } from '../requests.ts'
import type { Transport } from '../transport/transport.ts'
import { aggregatedResources, groupVersions, resourcesOfVersion } from './parse.ts'

export interface ServedResources {
  /** Preferred versions before others. */
  readonly types: readonly ResourceType[]
  /** Some groups could not be asked: the servers behind them are away. */
  readonly isComplete: boolean
}

const accept = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',')

/** All that a server serves: two questions to those that can say it at once, one per version of a group to others. */
export async function readServed(transport: Transport, signal?: AbortSignal): Promise<ServedResources> {
  const [core, named] = await Promise.all(
    ['/api', '/apis'].map((path) => ask(transport, { method: 'GET', path, accept }, signal)),
  )
  const [coreTypes, namedTypes] = [aggregatedResources(core ?? {}), aggregatedResources(named ?? {})]
  const paths = [
    ...(coreTypes === undefined ? ['/api/v1'] : []),
    ...(namedTypes === undefined ? groupVersions(named ?? {}).map((each) => `/apis/${each}`) : []),
  ]
  const answers = await Promise.all(paths.map((path) => readVersion(transport, path, signal)))
  return {
    types: [...(coreTypes ?? []), ...answers.flatMap((answer) => answer ?? []), ...(namedTypes ?? [])],
    isComplete: answers.every((answer) => answer !== undefined),
  }
}

/** One group that cannot answer must not hide the others. */
async function readVersion(
  transport: Transport,
  path: string,
  signal?: AbortSignal,
): Promise<readonly ResourceType[] | undefined> {
  try {
    return resourcesOfVersion(await ask(transport, { method: 'GET', path }, signal))
  } catch (error) {
    if (error instanceof ApiError && error.code !== 401) return undefined
    throw error
  }
}
