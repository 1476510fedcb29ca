import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { alertGroups } from '../../src/cli/platform/install/manifests/alert-rules.ts'

const rules = stringify({ groups: alertGroups }, { lineWidth: 0 })

test('the rule file for Prometheus has the alerts of an installed platform', async () => {
  const head =
    '# Made by `npm run generate` from src/cli/platform/install/manifests/alert-rules.ts. docs/metrics.md says more.\n'
  await expect(`${head}${rules}`).toMatchFileSnapshot('../../deploy/monitoring/alerts.yaml')
})

/** Templates of Prometheus use the same braces as Helm. */
test('the chart has them too', async () => {
  expect(rules).not.toContain('{{')
  const indented = rules.replaceAll(/^(?=.)/gm, '  ')
  await expect(`${head}${indented}{{- end }}\n`).toMatchFileSnapshot(
    '../../deploy/chart/templates/prometheus-rule.yaml',
  )
})

const head = `{{- /* Made by \`npm run generate\` from src/cli/platform/install/manifests/alert-rules.ts. */}}
{{- $isServed := .Capabilities.APIVersions.Has "monitoring.coreos.com/v1/PrometheusRule" }}
{{- if kindIs "invalid" .Values.prometheusRule | ternary $isServed .Values.prometheusRule }}
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  {{- include "platform.metadata" . | nindent 2 }}
spec:
`
