import { duplicateField, type FieldError, forbiddenField, invalidField, requiredField } from '../field-error.ts'
import { quoted } from '../human/go-syntax.ts'
import {
  checkLabelName,
  checkOneOf,
  checkPort,
  checkPortOrName,
  checkQualifiedName,
  protocols,
} from './field-checks.ts'
import { duplicatePrinted } from './printed-errors.ts'
import { isLoadBalancer, type Service, type ServicePort } from './service-types.ts'

const kubeletPort = 10_250

export function validateServicePorts(service: Service): readonly FieldError[] {
  const { ports = [] } = service.spec
  return [
    ...(isLoadBalancer(service) ? ports.flatMap(validateExposed) : []),
    ...ports.flatMap((port, index) =>
      validatePort(`spec.ports[${index}]`, port, ports.slice(0, index), ports.length > 1),
    ),
  ]
}

/** Node ports where there are none, and ports that are the same. */
export function validatePortConflicts({ spec: { ports = [], type } }: Service): readonly FieldError[] {
  return [
    ...(type === 'ClusterIP' ? ports.flatMap(validateNoNodePort) : []),
    ...ports.flatMap(validateUniqueNodePort),
    ...ports.flatMap(validateUniquePort),
  ]
}

function validateExposed({ port }: ServicePort, index: number): readonly FieldError[] {
  if (port !== kubeletPort) return []
  const detail = `may not expose port ${kubeletPort} externally since it is used by kubelet`
  return [invalidField(`spec.ports[${index}]`, port, detail)]
}

function validatePort(
  field: string,
  port: ServicePort,
  earlier: readonly ServicePort[],
  needsName: boolean,
): readonly FieldError[] {
  return [
    ...validatePortName(`${field}.name`, port.name, earlier, needsName),
    ...checkPort(`${field}.port`, port.port),
    ...checkOneOf(`${field}.protocol`, port.protocol, protocols),
    ...checkPortOrName(`${field}.targetPort`, port.targetPort),
    ...(port.appProtocol === undefined ? [] : checkQualifiedName(`${field}.appProtocol`, port.appProtocol)),
  ]
}

function validatePortName(
  field: string,
  name: string | undefined,
  earlier: readonly ServicePort[],
  needsName: boolean,
): readonly FieldError[] {
  if (name === undefined) return needsName ? [requiredField(field)] : []
  const isTaken = earlier.some((each) => each.name === name)
  return [...checkLabelName(field, name), ...(isTaken ? [duplicateField(field, name)] : [])]
}

function validateNoNodePort({ nodePort }: ServicePort, index: number): readonly FieldError[] {
  if (nodePort === undefined) return []
  return [forbiddenField(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")]
}

function validateUniqueNodePort(
  port: ServicePort,
  index: number,
  ports: readonly ServicePort[],
): readonly FieldError[] {
  if (port.nodePort === undefined) return []
  const first = ports.findIndex((each) => each.nodePort === port.nodePort && each.protocol === port.protocol)
  return first === index ? [] : [duplicateField(`spec.ports[${index}].nodePort`, port.nodePort)]
}

function validateUniquePort(port: ServicePort, index: number, ports: readonly ServicePort[]): readonly FieldError[] {
  const first = ports.findIndex((each) => each.port === port.port && each.protocol === port.protocol)
  return first === index ? [] : [duplicatePrinted(`spec.ports[${index}]`, printedKey(port))]
}

/** What tells ports apart, in the notation in which clients know it. */
function printedKey({ protocol = '', port }: ServicePort): string {
  return `core.ServicePort{Name:"", Protocol:${quoted(protocol)}, AppProtocol:(*string)(nil), Port:${port}, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}`
}
