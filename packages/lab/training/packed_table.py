"""Word embeddings in 4 bits: two values a byte, blocks of 32 values with a scale each."""

import torch
from torch import nn

BLOCK = 32


class PackedTable(nn.Module):
    def __init__(self, table):
        super().__init__()
        rows, width = table.shape
        blocks = table.reshape(rows, width // BLOCK, BLOCK)
        scale = blocks.abs().amax(-1, keepdim=True).clamp(min=1e-8) / 7
        values = (blocks / scale).round().clamp(-7, 7).to(torch.int64).reshape(rows, width) + 8
        half = width // 2
        self.register_buffer("packed", (values[:, :half] * 16 + values[:, half:]).to(torch.uint8))
        self.register_buffer("scale", scale.squeeze(-1).to(torch.float16))

    def forward(self, ids):
        packed = self.packed[ids].to(torch.float32)
        high = torch.floor(packed / 16)
        values = torch.cat([high, packed - 16 * high], dim=-1) - 8
        scale = self.scale[ids].to(torch.float32)
        return (values.unflatten(-1, (scale.shape[-1], BLOCK)) * scale.unsqueeze(-1)).flatten(-2)
