import { ControllerEvents } from '../../controllers/run/event-recorder.ts'
import type { Controller } from '../../registry/controllers/controller.ts'
import { foreignOwnerText, type ReportForeignOwner } from '../../registry/controllers/foreign-owners.ts'
import { GarbageCollector } from '../../registry/controllers/garbage-collector.ts'
import type { ControllerParts } from './controller-parts.ts'

const component = 'garbage-collector-controller'
const reason = 'OwnerRefInvalidNamespace'

/** Garbage collection. An Event reports an object that names an owner in another namespace. */
export function startCollector({ registry, report }: ControllerParts): Controller {
  const events = registry.engine.find('', 'Event')
  if (events === undefined) return new GarbageCollector(registry, report)
  const recorder = new ControllerEvents({ events, component, report, mayWrite: () => true })
  const tell: ReportForeignOwner = (_, document, reference) =>
    recorder.record(document.object, { type: 'Warning', reason, message: foreignOwnerText(document, reference) })
  const collector = new GarbageCollector(registry, report, tell)
  return {
    stop: async () => {
      await collector.stop()
      await recorder.stop()
    },
  }
}
