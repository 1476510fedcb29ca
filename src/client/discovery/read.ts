import { ApiError } from '../../api/error.ts'
import type { ResourceType } from '../contract.ts'
import { ask } from '../requests.ts'
import type { Transport } from '../transport/contract.ts'
import { aggregatedResources, groupVersions, resourcesOfVersion } from './parse.ts'

const accept = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',')

/**
 * All that a server serves, preferred versions before others: two questions to servers that can say it at once, one per
 * version of a group to others.
 */
export async function readServed(transport: Transport): Promise<readonly ResourceType[]> {
  const [core, named] = await Promise.all(
    ['/api', '/apis'].map((path) => ask(transport, { method: 'GET', path, accept })),
  )
  const [coreTypes, namedTypes] = [aggregatedResources(core ?? {}), aggregatedResources(named ?? {})]
  const paths = [
    ...(coreTypes === undefined ? ['/api/v1'] : []),
    ...(namedTypes === undefined ? groupVersions(named ?? {}).map((each) => `/apis/${each}`) : []),
  ]
  const answers = await Promise.all(paths.map((path) => readVersion(transport, path)))
  return [...(coreTypes ?? []), ...answers.flat(), ...(namedTypes ?? [])]
}

/** One group that cannot answer must not hide the others. */
async function readVersion(transport: Transport, path: string): Promise<readonly ResourceType[]> {
  try {
    return resourcesOfVersion(await ask(transport, { method: 'GET', path }))
  } catch (error) {
    if (error instanceof ApiError && error.code !== 401) return []
    throw error
  }
}
