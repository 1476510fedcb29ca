import type { AccessKeyScope } from '../../../api/types/management.ts'
import type { DoctorCheck } from '../examination.ts'
import { known } from '../examination.ts'
import { failed, ok, skipped } from '../finding.ts'

/** Whether the scope of the key has the role required for linking, whatever its owner may do. */
export const checkRole: DoctorCheck = {
  name: 'role',
  needs: ['self'],
  run: async ({ self }) => {
    const { key } = known(self)
    if (key === undefined) return { finding: skipped('role', 'the platform does not tell what the key may do') }
    const projects = tenantProjects(key.scope)
    if (projects !== undefined) {
      const reach = projects.includes('*') ? 'all projects of its owner' : projects.join(', ')
      return { finding: ok('role', `the key has the role tenant for ${reach}`) }
    }
    const fix = 'make one that has it: tenant platform keys create --role tenant'
    return { finding: failed('role', `the key ${key.name} has no role tenant in its scope`, fix) }
  },
}

/** Undefined: the role is missing. An entry without projects applies to all. */
function tenantProjects(scope: AccessKeyScope | undefined): readonly string[] | undefined {
  const entries = (scope?.roles ?? []).filter(({ role }) => role === 'tenant')
  if (entries.length === 0) return undefined
  return entries.flatMap(({ projects = [] }) => (projects.length === 0 ? ['*'] : projects))
}
