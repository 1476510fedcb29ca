import {
  allErrors,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  tooManyField,
} from '../../field-error.ts'
import { quoted } from '../../human/go-syntax.ts'
import type { Service, ServicePort } from '../../types/core-v1.ts'
import {
  checkLabelName,
  checkOneOf,
  checkPort,
  checkPortOrName,
  checkQualifiedName,
  protocols,
} from '../field-checks.ts'
import { duplicatePrinted } from '../printed-errors.ts'
import { repeated } from '../repeated.ts'
import { isLoadBalancer } from './service-questions.ts'

const kubeletPort = 10_250

/** Each is looked up in every Pod behind the Service. */
const mostPorts = 1_000

export function validateServicePorts(service: Service): readonly FieldError[] {
  const { ports = [] } = service.spec
  if (ports.length > mostPorts) return [tooManyField('spec.ports', ports.length, mostPorts)]
  const names = repeated(ports.map(({ name }) => name))
  return allErrors(
    isLoadBalancer(service) ? ports.flatMap(validateExposed) : [],
    ports.flatMap((port, index) =>
      allErrors(
        validatePortName(`spec.ports[${index}].name`, port.name, ports.length > 1),
        names[index] ? [duplicateField(`spec.ports[${index}].name`, port.name)] : [],
        validatePort(`spec.ports[${index}]`, port),
      ),
    ),
  )
}

/** Unsupported node ports, and duplicate ports. */
export function validatePortConflicts({ spec: { ports = [], type } }: Service): readonly FieldError[] {
  const nodePorts = repeated(ports.map(({ nodePort, protocol }) => nodePort && `${nodePort}/${protocol}`))
  const numbers = repeated(ports.map(({ port, protocol }) => `${port}/${protocol}`))
  return allErrors(
    type === 'ClusterIP' ? ports.flatMap(validateNoNodePort) : [],
    ports.flatMap(({ nodePort }, index) =>
      nodePorts[index] ? [duplicateField(`spec.ports[${index}].nodePort`, nodePort)] : [],
    ),
    ports.flatMap((port, index) =>
      numbers[index] ? [duplicatePrinted(`spec.ports[${index}]`, printedKey(port))] : [],
    ),
  )
}

function validateExposed({ port }: ServicePort, index: number): readonly FieldError[] {
  if (port !== kubeletPort) return []
  const detail = `may not expose port ${kubeletPort} externally since it is used by kubelet`
  return [invalidField(`spec.ports[${index}]`, port, detail)]
}

function validatePortName(field: string, name: string | undefined, needsName: boolean): readonly FieldError[] {
  if (name !== undefined) return checkLabelName(field, name)
  return needsName ? [requiredField(field)] : []
}

function validatePort(field: string, port: ServicePort): readonly FieldError[] {
  return allErrors(
    checkPort(`${field}.port`, port.port),
    checkOneOf(`${field}.protocol`, port.protocol, protocols),
    checkPortOrName(`${field}.targetPort`, port.targetPort),
    port.appProtocol === undefined ? [] : checkQualifiedName(`${field}.appProtocol`, port.appProtocol),
  )
}

function validateNoNodePort({ nodePort }: ServicePort, index: number): readonly FieldError[] {
  if (nodePort === undefined) return []
  return [forbiddenField(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")]
}

/** What identifies ports, in the notation that clients know. */
function printedKey({ protocol = '', port }: ServicePort): string {
  return `core.ServicePort{Name:"", Protocol:${quoted(protocol)}, AppProtocol:(*string)(nil), Port:${port}, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}`
}
