import { badRequest } from '../../api/error.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { Query, QueryParameter } from '../../server/request/query.ts'
import type { RequestInfo } from '../../server/request/request-info.ts'

/** A request to the containers of a Pod. */
export interface PodRequest {
  readonly pod: ObjectName
  readonly subresource: string
  /** Empty if none is named. */
  readonly container: string
  /** Parameters for the host, without the container. */
  readonly parameters: readonly QueryParameter[]
  /** Whether it concerns one container, not the whole Pod. */
  readonly isOfContainer: boolean
  /** Whether it changes nothing, whatever it reaches. */
  readonly onlyReads: boolean
}

const ofStreams = ['stdin', 'stdout', 'stderr', 'tty']

/** The parameters passed to the host: only those listed here, and none about whom to trust. */
const passedParameters: ReadonlyMap<string, readonly string[]> = new Map([
  ['log', ['follow', 'previous', 'sinceSeconds', 'sinceTime', 'timestamps', 'tailLines', 'limitBytes', 'stream']],
  ['exec', ['command', ...ofStreams]],
  ['attach', ofStreams],
  ['portforward', ['ports']],
])

const verbs: ReadonlyMap<string, readonly string[]> = new Map([
  ['log', ['get']],
  ['exec', ['get', 'create']],
  ['attach', ['get', 'create']],
  ['portforward', ['get', 'create']],
])

/** Undefined for other requests. */
export function podRequestOf(info: RequestInfo): PodRequest | undefined {
  if (info.form !== 'resource' || info.group !== '' || info.version !== 'v1' || info.resource !== 'pods')
    return undefined
  const { subresource, namespace, pathName: name, query, verb } = info
  const passed = passedParameters.get(subresource)
  if (passed === undefined || info.hasRest || namespace === '' || !verbs.get(subresource)?.includes(verb))
    return undefined
  return {
    pod: { namespace, name },
    subresource,
    container: query.get('container') ?? '',
    parameters: parametersIn(query, passed),
    isOfContainer: subresource !== 'portforward',
    onlyReads: subresource === 'log',
  }
}

const longestParameters = 64 * 1024

function parametersIn({ pairs }: Query, passed: readonly string[]): readonly QueryParameter[] {
  const kept = pairs.filter(([name]) => passed.includes(name))
  const length = kept.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (length > longestParameters) throw badRequest(`the parameters are longer than ${longestParameters} characters`)
  return kept
}
