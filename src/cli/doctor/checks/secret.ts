import type { KubeObject } from '../../../api/object.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import type { KeyLookup } from '../../../tenant/platform-key/contract.ts'
import { lookUpKey } from '../../../tenant/platform-key/look-up.ts'
import { keyPlaces } from '../../../tenant/platform-key/places.ts'
import { secretReader } from '../../../tenant/platform-key/secret-reader.ts'
import { lookupProblem, printSource } from '../../../tenant/platform-key/wording.ts'
import type { DoctorCheck } from '../examination.ts'
import { known } from '../examination.ts'
import { type DoctorFinding, failed, ok } from '../finding.ts'

/** Finds the key as the virtual cluster does. */
export const checkSecret: DoctorCheck = {
  name: 'secret',
  needs: ['host', 'config'],
  run: async ({ host, config, namespace, set, terminal }) => {
    const places = keyPlaces(known(config).external, namespace)
    const license = set === undefined ? terminal.env.LICENSE : licenseOf(set)
    const lookup = await lookUpKey({ license, places, readSecret: secretReader(known(host)) })
    return { finding: findingOf(lookup, namespace), ...(lookup.state === 'found' && { learned: { key: lookup.key } }) }
  },
}

function findingOf(lookup: KeyLookup, namespace: string): DoctorFinding {
  switch (lookup.state) {
    case 'found':
      return ok('secret', `key and host are in ${printSource(lookup.key.source)}`)
    case 'wrong':
      return failed('secret', lookup.message, 'write the entries accessKey and host again')
    case 'forbidden':
      return failed('secret', 'you may not read it yourself', `ask a user who may read it; ${lookup.message}`)
    case 'absent':
      return absent(lookup, namespace)
  }
}

function absent(lookup: KeyLookup, namespace: string): DoctorFinding {
  const problem = lookupProblem(lookup)
  if (problem === undefined)
    return ok('secret', 'there is no key, and the configuration asks for none: it stands alone')
  const fix =
    'kubectl create secret generic tenant-platform-api-key --from-literal=accessKey=… --from-literal=host=… ' +
    `-n ${namespace}, or in namespace tenant-platform with external.platform.apiKey.namespace for a shared key`
  return failed('secret', problem, fix)
}

/** A literal value in the pod; references are not resolved. */
function licenseOf({ spec }: KubeObject): string | undefined {
  const pod = asMembers(asMembers(asMembers(spec).template).spec)
  const containers = Array.isArray(pod.containers) ? pod.containers : []
  const variables = containers.flatMap((container) => asMembers(container).env ?? [])
  const value = asMembers(variables.find((variable: unknown) => asMembers(variable).name === 'LICENSE')).value
  return typeof value === 'string' ? value : undefined
}
