import { join } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { jsonText } from '../../base/json/json-text.ts'
import { KubeconfigError } from '../../client/kubeconfig/contract.ts'
import { given } from '../arguments/given.ts'
import { loadConfig } from '../config/load-config.ts'
import { type HostFlags, onHost } from '../host/host-cluster.ts'
import { findLocalTenant, type LocalTenant } from '../local-platforms/local-tenant.ts'
import { dataColors } from '../output/colors.ts'
import { printPainted } from '../output/print.ts'
import { ReportedFailure } from '../reported-failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { checkAddress } from './checks/address.ts'
import { checkClock } from './checks/clock.ts'
import { checkConfiguration } from './checks/configuration.ts'
import { checkDeployment } from './checks/deployment.ts'
import { checkHost } from './checks/host.ts'
import { checkKey } from './checks/key.ts'
import { checkLink } from './checks/link.ts'
import { checkNodes } from './checks/nodes.ts'
import { checkPods } from './checks/pods.ts'
import { checkRegistration } from './checks/registration.ts'
import { checkRights } from './checks/rights.ts'
import { checkRole } from './checks/role.ts'
import { checkSecret } from './checks/secret.ts'
import { checkStorage } from './checks/storage.ts'
import { checkVersion } from './checks/version.ts'
import { type DoctorCheck, examine } from './examination.ts'
import type { DoctorFinding } from './finding.ts'
import { notRunHere } from './not-run-here.ts'
import type { DoctorOptions } from './options.ts'
import { doctorReportText } from './report.ts'

/** The whole way from the host to the link, in the order in which things must work. */
const checks: readonly DoctorCheck[] = [
  checkHost,
  checkConfiguration,
  checkDeployment,
  checkStorage,
  checkNodes,
  checkPods,
  checkSecret,
  checkRights,
  checkAddress,
  checkClock,
  checkKey,
  checkRole,
  checkRegistration,
  checkLink,
  checkVersion,
]

export async function doctor(options: DoctorOptions, terminal: Terminal): Promise<void> {
  const { name, namespace, file, virtualKubeconfig } = options
  const config = file === undefined ? {} : { config: await loadConfig(file, terminal) }
  const local = await findLocalTenant(options, terminal)
  const findings = await onHost(hostOf(options, local), terminal, ({ client: cluster, access }) =>
    examine(
      {
        name,
        namespace,
        terminal,
        clock: systemClock,
        cluster,
        access,
        ...config,
        ...(local && { local }),
        ...given({ virtualKubeconfig }),
      },
      checks,
    ),
  ).catch((error: unknown) => {
    if (local !== undefined || !(error instanceof KubeconfigError)) throw error
    throw new Error(`${notRunHere(options)}, and ${error.message}`)
  })
  const isWell = findings.every(({ state }) => state !== 'failed')
  printPainted(
    terminal,
    options.output === 'json' ? asJson(findings, isWell) : doctorReportText(findings, dataColors(terminal)),
  )
  if (!isWell) throw new ReportedFailure('something is wrong')
}

/** A virtual cluster of `tenant up` is on its embedded host, unless a flag names another one. */
function hostOf({ kubeconfig, context }: DoctorOptions, local: LocalTenant | undefined): HostFlags {
  if (local === undefined || kubeconfig !== undefined || context !== undefined) return given({ kubeconfig, context })
  return { kubeconfig: join(local.platform.directory, 'kubeconfig'), context: 'host' }
}

function asJson(findings: readonly DoctorFinding[], isWell: boolean): string {
  return jsonText({ ok: isWell, findings })
}
