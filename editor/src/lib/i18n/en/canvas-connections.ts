/** The texts of connections: edges, ports and where an edge lands. */
export const canvasConnections = {
  port: {
    input: '{{title}}: takes {{type}}',
    output: '{{title}}: gives {{type}}',
  },
  edge: {
    label: '{{from}} to {{to}}',
    remove: 'Remove this connection',
    oncePerItem: 'once per item',
  },
  refusal: {
    title: 'These ports cannot be connected',
    missingPort: 'One of these ports no longer exists.',
    sameNode: 'A node cannot be connected to itself.',
    cycle: '{{source}} depends on {{target}}: this connection would create a cycle.',
    typeMismatch:
      '{{source.port}} of {{source.node}} gives {{source.type}}, but {{target.port}} of {{target.node}} takes {{target.type}}.',
    listDepth:
      '{{source.port}} of {{source.node}} gives lists, and {{target.port}} of {{target.node}} takes only single items here. Insert a node that works on single items.',
    insert: 'Insert {{title}}',
    close: 'Close',
  },
  linking: {
    source: 'Choose an input that takes {{type}}',
    target: 'Choose an output that gives {{type}}',
    cancel: 'Cancel connection',
  },
  edgeDrop: {
    lands: '{{port}} of {{node}}',
    replaces: '{{port}} of {{node}}: replaces {{before}}',
    asks: '{{count, number}} ports fit: release to choose',
    refused: {
      source: '{{node}} takes no {{type}}',
      target: '{{node}} gives no {{type}}',
    },
    choose: 'Connect to {{node}}',
    setting: 'Setting',
    replaced: '{{port}} of {{node}} now takes {{from}} instead of {{before}}.',
  },
  connect: {
    title: 'Connect {{port}}',
    search: 'Search ports and nodes',
    newNode: 'New node',
    remove: 'Disconnect',
    none: 'No compatible ports or nodes.',
    insert: 'Insert a node into a connection',
  },
} as const
