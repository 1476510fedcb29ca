import { teamAnnotation } from './content.ts'
import type { Value } from './model.ts'

interface Configuration {
  /** tenant.yaml, as JSON. */
  readonly text: string
  /** The result of this configuration's patch for the annotation on the host. */
  onHost(team: Value): Value
}

/** Three configurations between which a run changes. */
export const configurations: readonly [Configuration, Configuration, Configuration] = [
  withPrefix('a-'),
  withPrefix('b-'),
  { text: tenantYaml([]), onHost: (team) => team },
]

export function configuration(variant: number): Configuration {
  return configurations[variant] ?? configurations[0]
}

function withPrefix(prefix: string): Configuration {
  const path = `metadata.annotations["${teamAnnotation}"]`
  const patch = {
    path,
    expression: `${JSON.stringify(prefix)} + value`,
    reverseExpression: `value.slice(${prefix.length})`,
  }
  return { text: tenantYaml([patch]), onHost: (team) => (team === undefined ? undefined : `${prefix}${team}`) }
}

function tenantYaml(patches: readonly object[]): string {
  return JSON.stringify({
    sync: {
      toHost: {
        endpoints: { patches },
        services: { patches },
        configMaps: { all: true, patches },
        secrets: { all: true, patches },
        // Endpoints are synced as data, including those of Services with a selector.
        pods: { enabled: false },
      },
    },
    policies: { sync: { annotations: { allowed: [teamAnnotation] } } },
  })
}
