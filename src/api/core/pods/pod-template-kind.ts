import type { PodTemplate } from '../../types/core-v1.ts'
import { builtinKind } from '../builtin-kind.ts'
import { column, labelsText, nameColumn } from '../columns.ts'
import {
  containerImages,
  containerNames,
  templateWarnings,
  validateTemplate,
  withTemplateDefaults,
} from './pod-template.ts'

export const podTemplate = builtinKind<PodTemplate>({
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  namespaced: true,
  hasGeneration: true,
  deleteAnswer: 'object',
  message: 'k8s.io.api.core.v1.PodTemplate',
  columns: [
    nameColumn,
    column('Containers', 'Names of the containers of each pod.', ({ template }) => containerNames(template)),
    column('Images', 'Images of the containers of each pod.', ({ template }) => containerImages(template)),
    column('Pod Labels', 'Labels of each pod.', ({ template }) => labelsText(template.metadata.labels)),
  ],
  strategy: {
    defaults: (object) => ({ ...object, template: withTemplateDefaults(object.template) }),
    validate: ({ template }) => validateTemplate('template', template),
    warnings: ({ template }, old) => templateWarnings('template', template, old?.template),
  },
})
