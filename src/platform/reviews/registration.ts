import type { UserInfo } from '../../api/access.ts'
import { ApiError, badRequest, conflict, notFound } from '../../api/error.ts'
import { forbiddenFor } from '../../api/forbidden.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import { object, string } from '../../api/schema-builder.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { mintProof } from '../../auth/proofs/proof-value.ts'
import { projectOfNamespace } from '../../auth/scope/request.ts'
import { asMembers, asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { Random } from '../../base/random.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { createObject } from '../../registry/verbs/create.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewContext, ReviewResource } from '../../server/reviews/contract.ts'
import type { LicenseHolder } from '../license/license-holder.ts'
import { requestFor } from '../platform-user.ts'
import { changeIdentity } from '../virtual-clusters/identity/change-identity.ts'
import { type ClaimedPlacement, type Placement, placementOf } from '../virtual-clusters/identity/placement.ts'
import { type ProofRefusal, proofRefused } from '../virtual-clusters/identity/proof-refused.ts'
import { registered, type VersionedRegistrant } from '../virtual-clusters/identity/registered.ts'
import { requireLinkLicense } from '../virtual-clusters/link-admission.ts'
import type { LinkIndex } from '../virtual-clusters/link-index.ts'

export interface RegistrationParts {
  readonly virtualClusters: () => ResourceContext
  readonly projects: () => ResourceContext
  readonly index: LinkIndex
  readonly authorizer: Authorizer
  readonly random: Random
  readonly group: string
  /** Absent: no license is needed. */
  readonly license: LicenseHolder | undefined
  /** The namespace of a project exists once this has resolved. */
  readonly ensureNamespace: (project: string) => Promise<void>
  /** Called when a caller lacked the required proof. */
  readonly onRefused: (refusal: ProofRefusal) => void
}

const manager = 'registration'
/** Another tenant may register at the same time, repeatedly. */
const attempts = 5

/** `POST …/virtualclusterinstances/NAME/register`: a running virtual cluster registers itself. */
export function registration(parts: RegistrationParts): ReviewResource {
  const gvk = { group: parts.group, version: 'v1', kind: 'VirtualClusterRegistration' }
  return {
    ...gvk,
    plural: 'register',
    singular: 'register',
    namespaced: true,
    parent: 'virtualclusterinstances',
    hasOwnParent: true,
    schema: kindSchema(gvk, 'Makes a virtual cluster known that the platform did not deploy.', {
      spec: object('Who registers.', {
        proof: string('The proof that it got when it first registered: what it is recognized by when it comes back.'),
        serviceUid: string('UID of its Service on the host, which tells two of the same name apart.'),
        namespace: string('Namespace on the host.'),
        virtualCluster: string('Name of the virtual cluster in that namespace.'),
        instanceUid: string(
          'UID of the object that it must be known by: if it is gone, nothing is registered. Empty: a new one is created if there is none.',
        ),
        version: object('What it runs.', {
          tenant: string('Version of the tenant program.'),
          kubernetes: string('Kubernetes version.'),
        }),
      }),
      status: object('What became of it.', {
        project: string('Project of the virtual cluster.'),
        name: string(
          'Name under which it is known. It is another than the wanted one when another virtual cluster has that.',
        ),
        proof: string(
          'A new proof, for a virtual cluster that has none yet. It is shown once: keep it before using it, and show it with every registration and every link.',
        ),
        license: string('The signed license of the platform, which says what the virtual cluster may do.'),
        licenseIssuer: string('The public key of its issuer, for a virtual cluster that was not given one.'),
      }),
    }),
    review: async ({ spec }, context) => {
      const project = projectOfNamespace(context.namespace)
      const registrant = registrantOf(spec)
      if (project === undefined || parts.projects().cache.get({ namespace: '', name: project }) === undefined) {
        throw notFound({ plural: 'projects', group: parts.group }, project ?? context.namespace)
      }
      const { name, proof } = await register(parts, registrant, context, project)
      const { document: license, issuer: licenseIssuer } = parts.license ?? {}
      const { proof: _, ...shown } = asMembers(spec)
      const status = {
        project,
        name,
        ...(proof === undefined ? {} : { proof }),
        ...(license === undefined ? {} : { license }),
        ...(license === undefined || licenseIssuer === undefined ? {} : { licenseIssuer }),
      }
      return answered(gvk, { spec: shown, status })
    },
  }
}

/** Texts that a registrant sends are shown to others, so they may be no longer than a name. */
const longestText = 253

function registrantOf(input: unknown): VersionedRegistrant {
  const spec = asMembers(input)
  const { proof, version = {} } = spec
  return {
    proof: asText(proof),
    serviceUid: textIn(spec, 'serviceUid'),
    namespace: textIn(spec, 'namespace'),
    virtualCluster: textIn(spec, 'virtualCluster'),
    instanceUid: textIn(spec, 'instanceUid'),
    version: isJsonObject(version) ? versionOf(version) : {},
  }
}

function versionOf(version: Readonly<Record<string, unknown>>): VersionedRegistrant['version'] {
  const [tenant, kubernetes] = [textIn(version, 'tenant'), textIn(version, 'kubernetes')]
  return { ...(tenant !== '' && { tenant }), ...(kubernetes !== '' && { kubernetes }) }
}

function textIn(members: Readonly<Record<string, unknown>>, name: string): string {
  const value = members[name]
  if (typeof value !== 'string') return ''
  if (value.length <= longestText) return value
  throw badRequest(`${name}: a virtual cluster registers with no more than ${longestText} characters`)
}

interface Registered {
  readonly name: string
  /** Absent: the virtual cluster already has one. */
  readonly proof?: string
}

async function register(
  parts: RegistrationParts,
  registrant: VersionedRegistrant,
  context: ReviewContext,
  project: string,
): Promise<Registered> {
  const instances = parts.virtualClusters()
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    await caughtUp(instances.engine)
    const known = parts.index.inNamespace(context.namespace)
    const placement = placementOf(context.name, registrant, known, instances.engine.clock.now())
    if (placement.outcome === 'taken') break
    const { name } = placement
    if (name !== context.name) await requireCovered(parts, context.user, context.namespace, name)
    if (placement.outcome === 'refused') throw refusal(parts, placement, registrant, context)
    requireLinkLicense(parts, parts.group, { namespace: context.namespace, name })
    if (context.dryRun) return { name }
    if (attempt === 1) await parts.ensureNamespace(project)
    const taken = await take(parts, { namespace: context.namespace, name }, registrant, context)
    if (taken !== undefined) return { name, ...taken }
  }
  throw conflict(instances.kind, context.name, 'another virtual cluster has the name; try again')
}

function refusal(
  { virtualClusters, onRefused }: RegistrationParts,
  { name, standing }: Extract<Placement, { outcome: 'refused' }>,
  { virtualCluster }: ClaimedPlacement,
  { namespace, user, dryRun }: ReviewContext,
): ApiError {
  const refused = { namespace, name, standing, asked: 'register', keyName: user.credential?.keyName ?? '' } as const
  if (!dryRun) onRefused(refused)
  return proofRefused(virtualClusters().kind, refused, virtualCluster)
}

/** A key that is limited to certain names does not get another name. */
async function requireCovered(
  { authorizer, group }: RegistrationParts,
  user: UserInfo,
  namespace: string,
  name: string,
) {
  const resource = 'virtualclusterinstances'
  const asked = { user, verb: 'create', group, version: 'v1', resource, subresource: 'register', namespace, name }
  const decision = await authorizer.authorize(asked)
  if (decision.verdict !== 'allow') throw forbiddenFor(asked, decision)
}

/** Undefined when another tenant was faster. */
async function take(
  { virtualClusters, random, authorizer }: RegistrationParts,
  id: { readonly namespace: string; readonly name: string },
  registrant: VersionedRegistrant,
  { user, signal }: ReviewContext,
): Promise<Pick<Registered, 'proof'> | undefined> {
  const instances = virtualClusters()
  const offer = mintProof(random)
  let isOffered = false
  await ensureInstance(instances, id, registrant, requestFor(user, authorizer, manager, signal))
  const isTaken = await changeIdentity(instances, id, (current) => {
    if (!isWanted(current, registrant)) return undefined
    const change = registered(current, registrant, offer.hash, instances.engine.clock.now())
    isOffered = change?.isOffered === true
    return change
  })
  if (!isTaken) return undefined
  return isOffered ? { proof: offer.value } : {}
}

async function ensureInstance(
  instances: ResourceContext,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  registrant: VersionedRegistrant,
  request: WriteRequest,
): Promise<void> {
  const { group, version, kind } = instances.kind
  const found = instances.cache.get({ namespace, name })
  if (!isWanted(found, registrant)) throw notFound({ plural: 'virtualclusterinstances', group }, name)
  if (found !== undefined) return
  const clusterRef = { namespace: registrant.namespace, virtualCluster: registrant.virtualCluster }
  const value = { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec: { external: true, clusterRef } }
  await createObject(instances, { namespace }, { value, duplicateFields: [], text: '' }, request).catch((error) => {
    if (!(error instanceof ApiError && error.status.reason === 'AlreadyExists')) throw error
  })
}

/** Otherwise a virtual cluster that was deleted while it started would come back as a new one. */
function isWanted(found: StoredDocument | undefined, { instanceUid }: VersionedRegistrant): boolean {
  return instanceUid === '' || found?.object.metadata.uid === instanceUid
}
