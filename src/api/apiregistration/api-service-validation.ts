import { decodedLength } from '../core/base64.ts'
import { checkSubdomain, checkSupported } from '../core/field-checks.ts'
import { type FieldError, invalidField, requiredField, tooLongField } from '../field-error.ts'
import { validateLabel1035, validatePathSegment } from '../names.ts'
import type { APIService } from '../types/apiregistration-v1.ts'

/** Characters of base64. */
const maxBundleLength = 128 * 1024

export function validateApiService({ metadata, spec }: APIService): readonly FieldError[] {
  const { group = '', version = '', service, insecureSkipTLSVerify = false, caBundle } = spec
  const expected = `${version}.${group}`
  return [
    ...(metadata.name === expected || validatePathSegment(metadata.name ?? '').length > 0
      ? []
      : [
          invalidField(
            'metadata.name',
            metadata.name ?? '',
            `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`,
          ),
        ]),
    ...(group === '' && version !== 'v1'
      ? [requiredField('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
      : []),
    ...(group === '' ? [] : checkSubdomain('spec.group', group)),
    ...validateLabel1035(version).map((problem) => invalidField('spec.version', version, problem)),
    ...(caBundle !== undefined && caBundle.length > maxBundleLength
      ? [tooLongField('spec.caBundle', maxBundleLength)]
      : []),
    ...validateOrder('spec.groupPriorityMinimum', spec.groupPriorityMinimum, 20_000),
    ...validateOrder('spec.versionPriority', spec.versionPriority, 1000),
    ...(service === undefined ? validateLocal(spec) : validateService(service)),
    ...(service !== undefined && insecureSkipTLSVerify && caBundle !== undefined
      ? [invalidField('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
      : []),
  ]
}

function validateOrder(field: string, value: number, max: number): readonly FieldError[] {
  if (value > 0 && value <= max) return []
  return [invalidField(field, value, `must be positive and less than ${max}`)]
}

function validateLocal({ insecureSkipTLSVerify, caBundle }: APIService['spec']): readonly FieldError[] {
  const bytes = caBundle === undefined ? 0 : decodedLength(caBundle)
  return [
    ...(bytes === 0
      ? []
      : [invalidField('spec.caBundle', `${bytes} bytes`, 'local APIServices may not have a caBundle')]),
    ...(insecureSkipTLSVerify === true
      ? [invalidField('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
  ]
}

function validateService({
  namespace = '',
  name = '',
  port = 443,
}: NonNullable<APIService['spec']['service']>): readonly FieldError[] {
  return [
    ...(namespace === '' ? [requiredField('spec.service.namespace')] : []),
    ...(name === '' ? [requiredField('spec.service.name')] : []),
    ...(port >= 1 && port <= 65_535
      ? []
      : [invalidField('spec.service.port', port, 'port is not valid: must be between 1 and 65535, inclusive')]),
  ]
}

const statuses = ['True', 'False', 'Unknown']

export function validateApiServiceStatus({ status }: APIService): readonly FieldError[] {
  return (status.conditions ?? []).flatMap((condition, index) =>
    checkSupported(`status.conditions[${index}].status`, condition.status, statuses),
  )
}
