import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn, orNone } from '../core/columns.ts'
import { humanDuration } from '../human/duration.ts'
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from '../types/certificates-v1.ts'
import { validateApproval, validateSigned } from './condition-validation.ts'
import { validateRequest } from './request-validation.ts'

export const certificatesGroup = 'certificates.k8s.io'

export const certificateSigningRequest = builtinKind<CertificateSigningRequest>({
  group: certificatesGroup,
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  shortNames: ['csr'],
  namespaced: false,
  nameRule: 'path-segment',
  hasStatus: true,
  hasFixedSpec: true,
  allowsUnconditionalUpdate: true,
  message: 'k8s.io.api.certificates.v1.CertificateSigningRequest',
  selectableFields: { 'spec.signerName': ({ spec }) => spec.signerName },
  partialUpdates: { approval: { verbs: ['get', 'patch', 'update'], apply: withDecisions, validate: validateApproval } },
  columns: [
    nameColumn,
    ageColumn,
    column('SignerName', 'Name of the requested signer.', ({ spec }) => spec.signerName),
    column('Requestor', 'User who requested the certificate.', ({ spec }) => spec.username ?? ''),
    column('RequestedDuration', 'Requested validity period.', ({ spec }) =>
      spec.expirationSeconds === undefined ? orNone(undefined) : humanDuration(spec.expirationSeconds * 1000),
    ),
    column('Condition', 'Decision on the request, and whether a certificate was issued.', stateText),
  ],
  strategy: {
    prepareForCreate: withoutOwnIdentity,
    prepareForUpdate: (object, old) => ({ ...object, spec: old.spec }),
    prepareForStatusUpdate: withStatuses,
    validate: validateRequest,
    validateStatusUpdate: validateSigned,
  },
})

/** The requester is known from the request, and is filled in later. */
function withoutOwnIdentity(object: CertificateSigningRequest): CertificateSigningRequest {
  const { username: _, uid: __, groups: ___, extra: ____, ...spec } = object.spec
  return { ...object, spec, status: {} }
}

/** The rest of the status is the signer's. Approvers write into annotations why they decided, so metadata may change. */
function withDecisions(sent: CertificateSigningRequest, old: CertificateSigningRequest): CertificateSigningRequest {
  const { conditions: _, ...status } = old.status
  return { ...sent, spec: old.spec, status: { ...status, ...conditionsOf(sent.status.conditions ?? []) } }
}

/** A signer reports the certificate, or why there is none. */
function withStatuses(object: CertificateSigningRequest): CertificateSigningRequest {
  const { conditions = [], ...status } = object.status
  return { ...object, status: { ...status, ...conditionsOf(conditions.map(withStatus)) } }
}

function conditionsOf(
  conditions: readonly CertificateSigningRequestCondition[],
): Pick<CertificateSigningRequest['status'], 'conditions'> {
  return conditions.length === 0 ? {} : { conditions }
}

function withStatus(condition: CertificateSigningRequestCondition): CertificateSigningRequestCondition {
  return { ...condition, status: condition.status || 'True' }
}

function stateText({ status }: CertificateSigningRequest): string {
  const holds = (type: string) => (status.conditions ?? []).some((each) => each.type === type)
  const decided = holds('Denied') ? 'Denied' : holds('Approved') ? 'Approved' : 'Pending'
  return [
    decided,
    ...(holds('Failed') ? ['Failed'] : []),
    ...(status.certificate === undefined ? [] : ['Issued']),
  ].join(',')
}
