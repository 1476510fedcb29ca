import { type FieldError, forbiddenField, requiredField } from '../field-error.ts'
import type { Container, LifecycleHandler, ProbeHandler } from '../types/core-v1.ts'
import { checkPort, checkPortOrName } from './field-checks.ts'

export function validateLifecycle(field: string, { postStart, preStop }: NonNullable<Container['lifecycle']>) {
  return [
    ...(postStart === undefined ? [] : validateHandler(`${field}.postStart`, postStart)),
    ...(preStop === undefined ? [] : validateHandler(`${field}.preStop`, preStop)),
  ]
}

/** A handler does one thing: the first one that is given counts. */
export function validateHandler(field: string, handler: LifecycleHandler & ProbeHandler): readonly FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler
  const checks: [string, unknown, () => readonly FieldError[]][] = [
    ['exec', exec, () => ((exec?.command ?? []).length === 0 ? [requiredField(`${field}.exec.command`)] : [])],
    ['httpGet', httpGet, () => checkPortOrName(`${field}.httpGet.port`, httpGet?.port ?? 0)],
    ['tcpSocket', tcpSocket, () => checkPortOrName(`${field}.tcpSocket.port`, tcpSocket?.port ?? 0)],
    ['grpc', grpc, () => checkPort(`${field}.grpc.port`, grpc?.port ?? 0)],
    ['sleep', sleep, () => []],
  ]
  const given = checks.filter(([, value]) => value !== undefined)
  const [first, ...more] = given
  if (first === undefined) return [requiredField(field, 'must specify a handler type')]
  return [
    ...first[2](),
    ...more.map(([name]) => forbiddenField(`${field}.${name}`, 'may not specify more than 1 handler type')),
  ]
}
