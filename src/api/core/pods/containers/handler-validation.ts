import {
  allErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '../../../field-error.ts'
import type { Container, HTTPGetAction, LifecycleHandler, ProbeHandler, SleepAction } from '../../../types/core-v1.ts'
import { checkPort, checkPortOrName } from '../../field-checks.ts'

const schemes = ['HTTP', 'HTTPS']
const headerName = /^[-A-Za-z0-9]+$/
const headerAdvice =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')"

/** `grace` is how long the Pod may take to end. */
export function validateLifecycle(
  field: string,
  { postStart, preStop }: NonNullable<Container['lifecycle']>,
  grace: number | undefined,
): readonly FieldError[] {
  return allErrors(
    postStart === undefined ? [] : validateHandler(`${field}.postStart`, postStart, grace),
    preStop === undefined ? [] : validateHandler(`${field}.preStop`, preStop, grace),
  )
}

/** A handler does one thing: the first one given counts. */
export function validateHandler(
  field: string,
  handler: LifecycleHandler & ProbeHandler,
  grace: number | undefined,
): readonly FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler
  const checks: [string, unknown, () => readonly FieldError[]][] = [
    ['exec', exec, () => ((exec?.command ?? []).length === 0 ? [requiredField(`${field}.exec.command`)] : [])],
    ['httpGet', httpGet, () => (httpGet === undefined ? [] : validateRequest(`${field}.httpGet`, httpGet))],
    ['tcpSocket', tcpSocket, () => checkPortOrName(`${field}.tcpSocket.port`, tcpSocket?.port ?? 0)],
    ['grpc', grpc, () => checkPort(`${field}.grpc.port`, grpc?.port ?? 0)],
    ['sleep', sleep, () => (sleep === undefined ? [] : validateSleep(`${field}.sleep`, sleep, grace))],
  ]
  const given = checks.filter(([, value]) => value !== undefined)
  const [first, ...more] = given
  if (first === undefined) return [requiredField(field, 'must specify a handler type')]
  return allErrors(
    first[2](),
    more.map(([name]) => forbiddenField(`${field}.${name}`, 'may not specify more than 1 handler type')),
  )
}

function validateRequest(field: string, { path = '', port, scheme = '', httpHeaders = [] }: HTTPGetAction) {
  return allErrors(
    path === '' ? [requiredField(`${field}.path`)] : [],
    checkPortOrName(`${field}.port`, port),
    schemes.includes(scheme) ? [] : [notSupportedField(`${field}.scheme`, scheme, schemes)],
    httpHeaders
      .filter(({ name }) => !headerName.test(name))
      .map(({ name }) => invalidField(`${field}.httpHeaders`, name, headerAdvice)),
  )
}

/** A pause of zero requires a feature gate that is off in 1.32. */
function validateSleep(field: string, { seconds }: SleepAction, grace: number | undefined): readonly FieldError[] {
  if (grace === undefined || (seconds > 0 && seconds <= grace)) return []
  const problem = `must be greater than 0 and less than terminationGracePeriodSeconds (${grace}). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`
  return [invalidField(field, seconds, problem)]
}
