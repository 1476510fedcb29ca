import { visible } from '../../base/unseen.ts'
import type { Colors } from '../output/colors.ts'
import type { CheckName, DoctorFinding, FindingState } from './finding.ts'

const titles: Readonly<Record<CheckName, string>> = {
  host: 'Host cluster',
  configuration: 'Configuration',
  deployment: 'Deployment',
  storage: 'Storage',
  nodes: 'Nodes',
  pods: 'Pods',
  secret: 'Key and host',
  rights: 'Rights to read it',
  address: 'Address and TLS',
  clock: 'Clock',
  key: 'Access key',
  role: 'Role',
  registration: 'Scope, project, license',
  link: 'Link',
  version: 'Version',
}

export function doctorReportText(findings: readonly DoctorFinding[], colors: Colors): string {
  return findings.map((finding) => entry(finding, colors)).join('')
}

function entry({ check, state, detail, fix, lines = [] }: DoctorFinding, colors: Colors): string {
  const head = `${mark(state, colors)} ${colors.bold(titles[check])}: ${visible(detail)}\n`
  const line = `${head}${lines.map((each) => `  ${visible(each)}\n`).join('')}`
  return fix === undefined ? line : `${line}  ${colors.cyan('to fix:')} ${visible(fix)}\n`
}

function mark(state: FindingState, colors: Colors): string {
  switch (state) {
    case 'ok':
      return colors.green('ok  ')
    case 'warning':
      return colors.yellow('warn')
    case 'failed':
      return colors.red('FAIL')
    case 'skipped':
      return colors.dim('-   ')
  }
}
