import { isJsonObject } from '../../../base/json/member.ts'
import { packageVersion } from '../../../base/package-version.ts'
import type { DoctorCheck } from '../examination.ts'
import { known } from '../examination.ts'
import { ok, skipped, warning } from '../finding.ts'

/** Whether the virtual cluster and this command have the same release. */
export const checkVersion: DoctorCheck = {
  name: 'version',
  needs: ['instance'],
  run: async ({ instance, name, namespace }) => {
    const { status } = known(instance)
    const version = isJsonObject(status) && isJsonObject(status.version) ? status.version.tenant : undefined
    if (typeof version !== 'string' || version === '')
      return { finding: skipped('version', 'it does not say which version it is') }
    const own = packageVersion()
    if (release(version) === release(own)) return { finding: ok('version', `it runs ${version}`) }
    const fix = `bring it to this release: tenant create ${name} -n ${namespace} --upgrade`
    return { finding: warning('version', `it runs ${version}, and this is ${own}`, fix) }
  },
}

/** Up to the minor version, which may change behavior. */
function release(version: string): string {
  return version.split('.').slice(0, 2).join('.')
}
