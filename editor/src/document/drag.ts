/** The name under which a node type travels while it is dragged from the palette to the canvas. */
export const NODE_TYPE = 'application/x-impasto-node'
