import { type FieldError, invalidField, requiredField } from '../field-error.ts'
import { validateSubdomain } from '../names.ts'
import type { ServiceReference } from '../types/admissionregistration-v1.ts'

const portProblem = 'port is not valid: must be between 1 and 65535, inclusive'

/** Kubernetes confuses the two: a service without a name is reported to lack its namespace, and so it is here. */
export function validateWebhookService(field: string, service: ServiceReference): readonly FieldError[] {
  const { name, namespace, port = 443, path = '' } = service
  return [
    ...(namespace === '' ? [requiredField(`${field}.name`, 'service name is required')] : []),
    ...(name === '' ? [requiredField(`${field}.namespace`, 'service namespace is required')] : []),
    ...(port < 1 || port > 65_535 ? [invalidField(`${field}.port`, port, portProblem)] : []),
    ...validatePath(`${field}.path`, path),
  ]
}

function validatePath(field: string, path: string): readonly FieldError[] {
  if (path === '' || path === '/') return []
  if (path === '//') return [invalidField(field, path, 'segment[0] may not be empty')]
  const segments = path.slice(1).replace(/\/$/, '').split('/')
  return [
    ...(path.startsWith('/') ? [] : [invalidField(field, path, "must start with a '/'")]),
    ...segments.flatMap((segment, index) =>
      segment === ''
        ? [invalidField(field, path, `segment[${index}] may not be empty`)]
        : validateSubdomain(segment).map((problem) => invalidField(field, path, `segment[${index}]: ${problem}`)),
    ),
  ]
}
