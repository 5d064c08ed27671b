/** The controls of settings that most flows do not have: one file of code, which loads after the page. */
export { ApiWorkflowControl } from './api-workflow-control'
export { ConditionsControl } from './conditions-control'
export { KeyValueControl } from './key-value-control'
export { MaskControl } from './mask-control'
export { SchemaControl } from './schema-control'
export { TableControl } from './table-control'
