import type { Fairness } from '../fairness/fairness.ts'
import type { FairnessLevel } from '../fairness/level.ts'

/** Named like those of kube-apiserver, so that dashboards work. */
export function fairnessText({ gate, bodies, longRunning }: Fairness): readonly string[] {
  const levels = [...gate.levels]
  const perLevel = (name: string, type: 'gauge' | 'counter', help: string, read: (level: FairnessLevel) => number) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...levels.map(([level, state]) => `${name}{priority_level="${level}"} ${read(state)}`),
  ]
  const inPlace = levels.reduce((sum, [, level]) => sum + level.inPlace, 0)
  const prefix = 'apiserver_flowcontrol'
  return [
    ...single('apiserver_current_inflight_requests', 'Requests being worked on, watches not counted.', inPlace),
    ...perLevel(`${prefix}_current_executing_requests`, 'gauge', 'Requests that have a place.', (each) => each.inPlace),
    ...perLevel(`${prefix}_current_limit_seats`, 'gauge', 'Places of the level.', ({ rules }) => rules.places),
    ...perLevel(`${prefix}_current_inqueue_requests`, 'gauge', 'Requests that wait.', (each) => each.waiting),
    ...perLevel(`${prefix}_dispatched_requests_total`, 'counter', 'Requests that got a turn.', (each) => each.admitted),
    ...perLevel(`${prefix}_rejected_requests_total`, 'counter', 'Requests that got none.', (each) => each.refused),
    ...single('tenant_request_bodies', 'Request bodies that are being received.', bodies.size),
    ...single('tenant_request_body_bytes', 'What has arrived of them.', bodies.bytes),
    ...single('tenant_open_streams', 'Watches, links and other requests without an end.', longRunning.size),
  ]
}

function single(name: string, help: string, value: number): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`]
}
