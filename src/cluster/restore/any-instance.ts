import { projectOfNamespace } from '../../auth/scope/request.ts'
import { asMembers, asObjects, asText } from '../../base/json/lenient.ts'

/** The parts of a virtual cluster that show whether its proof has changed. */
export interface AnyInstance {
  readonly uid: string
  /** `PROJECT/NAME` */
  readonly name: string
  /** When its identity was proven, or voided. */
  readonly proven: unknown
}

/** Reads a virtual cluster as stored, or as shown by a platform. */
export function instanceIn(object: Readonly<Record<string, unknown>>): AnyInstance {
  const { uid, name, namespace } = asMembers(object.metadata)
  const { conditions } = asMembers(object.status)
  const proven = asObjects(conditions).find(({ type }) => type === 'Proven')
  const project = projectOfNamespace(asText(namespace)) ?? ''
  return { uid: asText(uid), name: `${project}/${asText(name)}`, proven: [proven?.status, proven?.lastTransitionTime] }
}
