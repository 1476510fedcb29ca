import type { UserInfo } from '../../api/access.ts'
import { ApiError, badRequest, conflict, forbidden, notFound, refusedBy } from '../../api/error.ts'
import { licenseMissing } from '../../api/link.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import type { KubeObject } from '../../api/object.ts'
import { object, string } from '../../api/schema-builder.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { forbiddenFor } from '../../auth/forbidden.ts'
import { projectOfNamespace } from '../../auth/scope/request.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { createObject } from '../../registry/verbs/create.ts'
import { editObject } from '../../registry/verbs/edit.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewContext, ReviewResource } from '../../server/reviews/contract.ts'
import type { LicenseHolder } from '../license/license-holder.ts'
import { platformRequest } from '../platform-user.ts'
import { linkAdmission } from './link-admission.ts'
import type { LinkIndex } from './link-index.ts'
import { linkStateOf } from './link-state.ts'
import { registeredName } from './registered-name.ts'

export interface RegistrationParts {
  readonly virtualClusters: () => ResourceContext
  readonly projects: () => ResourceContext
  readonly index: LinkIndex
  readonly authorizer: Authorizer
  readonly group: string
  /** Absent: nothing has to be licensed. */
  readonly license: LicenseHolder | undefined
  /** The namespace of a project exists once this has resolved. */
  readonly ensureNamespace: (project: string) => Promise<void>
}

const manager = 'registration'
/** Somebody else may register at the same moment, and again. */
const attempts = 5

/** `POST …/virtualclusterinstances/NAME/register`: a virtual cluster that runs somewhere says that it is there. */
export function registration(parts: RegistrationParts): ReviewResource {
  const gvk = { group: parts.group, version: 'v1', kind: 'VirtualClusterRegistration' }
  return {
    ...gvk,
    plural: 'register',
    singular: 'register',
    namespaced: true,
    parent: 'virtualclusterinstances',
    hasOwnParent: true,
    schema: kindSchema(gvk, 'Makes a virtual cluster known that was deployed by somebody else.', {
      spec: object('Who registers.', {
        serviceUid: string('UID of its Service on the host: what it is recognised by when it comes back.'),
        namespace: string('Namespace on the host.'),
        virtualCluster: string('Name of the virtual cluster in that namespace.'),
        version: object('What it runs.', {
          tenant: string('Version of the tenant program.'),
          kubernetes: string('Version of Kubernetes that it speaks.'),
        }),
      }),
      status: object('What became of it.', {
        project: string('Project of the virtual cluster.'),
        name: string('Name under which it is known. It is another than the wanted one when somebody else has that.'),
        license: string('The signed licence of the platform, which says what the virtual cluster may do.'),
      }),
    }),
    review: async ({ spec }, context) => {
      const project = projectOfNamespace(context.namespace)
      const wanted = registrantOf(spec)
      if (project === undefined || parts.projects().cache.get({ namespace: '', name: project }) === undefined) {
        throw notFound({ plural: 'projects', group: parts.group }, project ?? context.namespace)
      }
      requireLicense(parts, context.name, wanted)
      if (!context.dryRun) await parts.ensureNamespace(project)
      const name = await register(parts, wanted, context)
      const license = parts.license?.document
      return answered(gvk, { spec, status: { project, name, ...(license !== undefined && { license }) } })
    },
  }
}

function requireLicense({ license, index, group }: RegistrationParts, name: string, { serviceUid }: Registrant): void {
  const admission = linkAdmission(license, index, ({ state }) => state.serviceUid === serviceUid)
  if (admission.ok) return
  const causes = [{ reason: licenseMissing, message: admission.message }]
  const resource = { plural: 'virtualclusterinstances', group }
  throw refusedBy('licence', forbidden(resource, name, admission.message, { causes }))
}

interface Registrant {
  readonly serviceUid: string
  readonly namespace: string
  readonly virtualCluster: string
  readonly version: Readonly<Record<string, unknown>>
}

function registrantOf(spec: unknown): Registrant {
  const { serviceUid, namespace, virtualCluster, version } = isJsonObject(spec) ? spec : {}
  if (typeof serviceUid !== 'string' || serviceUid === '') {
    throw badRequest('spec.serviceUid: a virtual cluster registers with the uid of its Service')
  }
  return {
    serviceUid,
    namespace: typeof namespace === 'string' ? namespace : '',
    virtualCluster: typeof virtualCluster === 'string' ? virtualCluster : '',
    version: isJsonObject(version) ? version : {},
  }
}

async function register(parts: RegistrationParts, registrant: Registrant, context: ReviewContext): Promise<string> {
  const instances = parts.virtualClusters()
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    await caughtUp(instances.engine)
    const name = registeredName(context.name, registrant.serviceUid, parts.index.inNamespace(context.namespace))
    if (name === undefined) break
    if (name !== context.name) await requireCovered(parts, context.user, context.namespace, name)
    if (context.dryRun) return name
    await ensureInstance(instances, context.namespace, name, registrant)
    if (await claim(instances, context.namespace, name, registrant)) return name
  }
  throw conflict(instances.kind, context.name, 'another virtual cluster has the name; try again')
}

/** A key that is limited to some names does not get another one. */
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

async function ensureInstance(
  instances: ResourceContext,
  namespace: string,
  name: string,
  registrant: Registrant,
): Promise<void> {
  if (instances.cache.get({ namespace, name }) !== undefined) return
  const { group, version, kind } = instances.kind
  const clusterRef = { namespace: registrant.namespace, virtualCluster: registrant.virtualCluster }
  const value = { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec: { external: true, clusterRef } }
  const request = platformRequest(manager, new AbortController().signal)
  await createObject(instances, { namespace }, { value, duplicateFields: [], text: '' }, request).catch((error) => {
    if (!(error instanceof ApiError && error.status.reason === 'AlreadyExists')) throw error
  })
}

/** False when somebody else was faster. */
async function claim(
  instances: ResourceContext,
  namespace: string,
  name: string,
  { serviceUid, version }: Registrant,
): Promise<boolean> {
  let isClaimed = false
  const request = platformRequest(manager, new AbortController().signal, 'status')
  const edit = (object: KubeObject): KubeObject | undefined => {
    const holder = linkStateOf(object).serviceUid
    isClaimed = holder === '' || holder === serviceUid
    if (!isClaimed) return undefined
    const status = isJsonObject(object.status) ? object.status : {}
    return { ...object, status: { ...status, serviceUid, version } }
  }
  return (await editObject(instances, { namespace, name }, edit, request)) && isClaimed
}
